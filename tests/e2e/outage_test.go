package e2e

import (
	"strings"
	"testing"
	"time"
)

// The exported timeouts, for both sides. The mutating side is ignored when it fails, so a request
// in scope waits for the one and then for the other.
const timeout = 2 * time.Second

func TestAnOutageAffectsOnlyWindowsPods(t *testing.T) {
	t.Parallel()
	server, err := shared.StartWinadmit("winadmit-outage", testConfig())
	if err != nil {
		t.Fatal(err)
	}
	intercept(t, server, "outage", nil, "--timeout", "2")
	n := newNamespace(t, "", instance("outage"))
	n.eventually("winadmit judges", n.judged)

	phase := func(name string, begin func(), waits time.Duration) {
		t.Run(name, func(t *testing.T) {
			n := namespace{t, n.name, n.api}
			begin()
			started := time.Now()
			if reply := n.dryRun(pod("linux", `{"hostPID": true}`)); !reply.Created() || len(reply.Warnings) > 0 {
				t.Errorf("a pod outside of winadmit's scope: %d %s %q", reply.Code, reply.Message(), reply.Warnings)
			}
			if took := time.Since(started); took >= timeout {
				t.Errorf("it was delayed by %s", took)
			}
			started = time.Now()
			reply := n.dryRun(pod("windows", windows))
			if reply.Code != 500 || !strings.Contains(reply.Message(), `failed calling webhook "validate.winadmit.dev"`) {
				t.Errorf("a pod in scope: %d %s", reply.Code, reply.Message())
			}
			if took := time.Since(started); took > waits+2*time.Second {
				t.Errorf("the API server's error took %s", took)
			}
		})
	}
	phase("stopped", func() {
		if code := server.Stop(10 * time.Second); code != 0 {
			t.Errorf("winadmit ended with %d on SIGTERM", code)
		}
	}, 0)
	t.Run("started again", func(t *testing.T) {
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
		namespace{t, n.name, n.api}.eventually("winadmit judges again", n.judged)
	})
	phase("frozen", server.Freeze, 2*timeout)
	t.Run("thawed", func(t *testing.T) {
		server.Thaw()
		namespace{t, n.name, n.api}.eventually("winadmit judges again", n.judged)
	})
}
