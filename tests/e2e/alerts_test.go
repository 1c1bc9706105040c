package e2e

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
)

// One burst of Windows pods while winadmit is stopped, and then none, raises the alerts of deploy/observability in a real
// Prometheus, and they end after the recovery. So do a wrong caBundle and matchConditions that fail. The API server is this test's own: its counters do
// not exist before, as in a cluster without a failure so far, and other tests do not raise them.
func TestAnOutageRaisesAlertsAndTheyEnd(t *testing.T) {
	t.Parallel()
	api, err := shared.StartAPIServer("kube-apiserver-alerts")
	if err != nil {
		t.Fatal(err)
	}
	server, err := shared.StartWinadmit("winadmit-alerts", testConfig())
	if err != nil {
		t.Fatal(err)
	}
	intercept(t, server, "alerts", nil)
	n := newNamespace(t, "", instance("alerts")).through(api)
	prometheus, err := shared.StartPrometheus("prometheus", api, server)
	if err != nil {
		t.Fatal(err)
	}
	n.eventually("winadmit is in effect", n.inEffect)
	n.eventually("the API server was scraped 15 minutes ago", func() bool {
		series, err := prometheus.Query(`up{job="control-plane"} offset 15m == 1`)
		return err == nil && series == 1
	})
	n.fires(prometheus)

	const burst = 12
	createPods := func(name string) {
		for i := range burst {
			reply := n.post(pod(fmt.Sprintf("%s-%d", name, i), windows))
			if reply.Created() {
				t.Fatal("a Windows pod was admitted while the API server cannot call winadmit")
			}
		}
	}
	server.Stop(10 * time.Second)
	createPods("down")
	n.fires(prometheus, "WinadmitDown critical", "WinadmitFailingClosed critical validate.winadmit.dev",
		"WinadmitFailingOpen warning place.winadmit.dev")
	n.describes(prometheus, "WinadmitFailingOpen", "12 requests were admitted unchecked")
	n.describes(prometheus, "WinadmitFailingClosed", "12 requests were refused")

	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	n.eventually("winadmit is in effect again", n.inEffect)
	n.eventually("the new process was scraped", func() bool {
		series, err := prometheus.Query("winadmit_build_info")
		return err == nil && series == 1
	})
	other := t.TempDir()
	if err := cluster.IssuePair(other, "localhost"); err != nil {
		t.Fatal(err)
	}
	ca, err := os.ReadFile(filepath.Join(other, "ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	intercept(t, server, "alerts", func(configuration Object) {
		for _, webhook := range list(configuration, "webhooks") {
			at(webhook, "clientConfig").(Object)["caBundle"] = base64.StdEncoding.EncodeToString(ca)
		}
	})
	n.eventually("the API server does not trust winadmit", func() bool {
		return strings.Contains(n.dryRun(pod("probe", windows)).Message(), "x509")
	})
	createPods("untrusted")
	n.fires(prometheus, "WinadmitNotTrusted warning", "WinadmitFailingClosed critical validate.winadmit.dev",
		"WinadmitFailingOpen warning place.winadmit.dev")

	intercept(t, server, "alerts", func(configuration Object) {
		for _, webhook := range list(configuration, "webhooks") {
			webhook.(Object)["matchConditions"] = append(list(webhook, "matchConditions"),
				Object{"name": "fails", "expression": "object.spec.noSuchField == 'x'"})
		}
	})
	n.eventually("the API server cannot evaluate the matchConditions", func() bool {
		return strings.Contains(n.dryRun(pod("probe", windows)).Message(), "no such key")
	})
	createPods("unmatched")
	n.firesAlso(prometheus, "WinadmitMatchConditionErrors critical validate.winadmit.dev",
		"WinadmitMatchConditionErrors critical place.winadmit.dev")

	intercept(t, server, "alerts", nil)
	n.eventually("the API server calls winadmit again", n.inEffect)
	n.fires(prometheus)
}

// fires waits until exactly these alerts fire: "NAME SEVERITY" or "NAME SEVERITY WEBHOOK". The alerts on slow calls are not
// considered, because machines that run tests are busy.
func (n namespace) fires(prometheus *cluster.Prometheus, want ...string) {
	n.t.Helper()
	n.awaitAlerts(prometheus, want, func(found map[string]bool) bool { return len(found) == len(want) })
}

// firesAlso waits until these alerts fire, beside others.
func (n namespace) firesAlso(prometheus *cluster.Prometheus, want ...string) {
	n.t.Helper()
	n.awaitAlerts(prometheus, want, func(map[string]bool) bool { return true })
}

func (n namespace) awaitAlerts(prometheus *cluster.Prometheus, want []string, holds func(found map[string]bool) bool) {
	n.t.Helper()
	var found map[string]bool
	if !within(patience, func() bool {
		alerts, err := prometheus.Alerts()
		if err != nil {
			return false
		}
		found = map[string]bool{}
		for _, alert := range alerts {
			name := alert.Labels["alertname"]
			if alert.State == "firing" && !strings.HasPrefix(name, "WinadmitSlow") {
				found[strings.TrimSpace(name+" "+alert.Labels["severity"]+" "+alert.Labels["name"])] = true
			}
		}
		for _, alert := range want {
			if !found[alert] {
				return false
			}
		}
		return holds(found)
	}) {
		n.t.Fatalf("not within %s: the alerts %v fire, not %v\n%s", patience, want, found, prometheus.LogTail())
	}
}

// describes fails the test unless the description of a firing alert contains the words.
func (n namespace) describes(prometheus *cluster.Prometheus, name, words string) {
	n.t.Helper()
	alerts, err := prometheus.Alerts()
	if err != nil {
		n.t.Fatal(err)
	}
	for _, alert := range alerts {
		if alert.Labels["alertname"] == name && strings.Contains(alert.Annotations["description"], words) {
			return
		}
	}
	n.t.Errorf("no alert %s says %q: %v", name, words, alerts)
}
