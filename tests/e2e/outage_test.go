package e2e

import (
	"strings"
	"testing"
	"time"
)

// The timeout of the exported webhooks. The mutating one has failurePolicy Ignore, so a request for a Windows pod waits for
// both, one after the other.
const timeout = 2 * time.Second

func TestAnOutageAffectsOnlyWindowsPods(t *testing.T) {
	t.Parallel()
	server, err := shared.StartWinadmit("winadmit-outage", testConfig())
	if err != nil {
		t.Fatal(err)
	}
	intercept(t, server, "outage", nil, "--timeout", "2")
	n := newNamespace(t, "", instance("outage"))
	n.eventually("winadmit is in effect", n.inEffect)

	phase := func(name string, begin func(), waits time.Duration) {
		t.Run(name, func(t *testing.T) {
			n := namespace{t, n.name, n.api}
			begin()
			started := time.Now()
			if reply := n.dryRun(pod("linux", `{"hostPID": true}`)); !reply.Created() || len(reply.Warnings) > 0 {
				t.Errorf("a Linux pod: %d %s %q", reply.Code, reply.Message(), reply.Warnings)
			}
			if took := time.Since(started); took >= timeout {
				t.Errorf("it was delayed by %s", took)
			}
			started = time.Now()
			reply := n.dryRun(pod("windows", windows))
			if reply.Code != 500 || !strings.Contains(reply.Message(), `failed calling webhook "validate.winadmit.dev"`) {
				t.Errorf("a Windows pod: %d %s", reply.Code, reply.Message())
			}
			if took := time.Since(started); took > waits+2*time.Second {
				t.Errorf("the API server's error took %s", took)
			}
		})
	}
	phase("stopped", func() {
		if code := server.Stop(10 * time.Second); code != 0 {
			t.Errorf("winadmit exited with %d on SIGTERM", code)
		}
	}, 0)
	t.Run("started again", func(t *testing.T) {
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
		namespace{t, n.name, n.api}.eventually("winadmit is in effect again", n.inEffect)
	})
	phase("frozen", server.Freeze, 2*timeout)
	t.Run("thawed", func(t *testing.T) {
		server.Thaw()
		namespace{t, n.name, n.api}.eventually("winadmit is in effect again", n.inEffect)
	})
}
