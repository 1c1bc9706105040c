package e2e

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"winadmit/tests/e2e/cluster"
	"winadmit/tests/e2e/docs"
)

// An operator follows the runbook while winadmit is down, and applies the manifests afterwards, as kubectl apply -k does.
func TestFirstAidLetsPodsPassAndTheNextApplyEndsIt(t *testing.T) {
	t.Parallel()
	server, err := shared.StartWinadmit("winadmit-first-aid", testConfig())
	if err != nil {
		t.Fatal(err)
	}
	configurations, err := server.Export()
	if err != nil {
		t.Fatal(err)
	}
	manifest := Object{"apiVersion": "v1", "kind": "List", "items": configurations}
	want := policies(configurations[1])
	for _, configuration := range configurations {
		cluster.Scope(configuration, "first-aid")
	}
	stdin, err := json.Marshal(manifest)
	if err != nil {
		t.Fatal(err)
	}
	n := newNamespace(t, "", instance("first-aid"))
	n.kubectl(string(stdin), "apply", "-f", "-")
	n.eventually("winadmit is in effect", n.inEffect)

	environment, err := docs.Environment(shared, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	session, err := docs.NewSession(cluster.Root(), shared.Logs, environment)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	for page, section := range map[string]string{"deploy/observability/runbook.md": "Runbook", "docs/operations.md": "When the webhook blocks the cluster"} {
		t.Run(page, func(t *testing.T) {
			n := namespace{t, n.name, n.api}
			server.Stop(10 * time.Second)
			if reply := n.dryRun(pod("web", windows)); reply.Created() {
				t.Error("a Windows pod was admitted while winadmit is down")
			}
			read, err := docs.Read(cluster.Root(), page)
			if err != nil {
				t.Fatal(err)
			}
			block, err := read.Command(section, "failurePolicy")
			if err != nil {
				t.Fatal(err)
			}
			// The configurations of this test have a name of their own.
			commands := strings.ReplaceAll(block.Text, "configuration winadmit ", "configuration winadmit-first-aid ")
			if out, err := session.Run(commands, time.Minute); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			n.eventually("Windows pods are admitted", func() bool { return n.dryRun(pod("web", windows)).Created() })

			n.kubectl(string(stdin), "apply", "-f", "-")
			path := cluster.Webhooks + "/validatingwebhookconfigurations/winadmit-first-aid"
			if found := policies(n.do("GET", path, nil).Body); !equal(found, want) {
				t.Errorf("after the apply the failure policies are %v, not %v", found, want)
			}
			if err := server.Restart(); err != nil {
				t.Fatal(err)
			}
			n.eventually("winadmit is in effect again", n.inEffect)
		})
	}
}

// policies returns the failurePolicy of each webhook of a configuration, by name.
func policies(configuration Object) map[string]string {
	all := map[string]string{}
	for _, webhook := range list(configuration, "webhooks") {
		all[text(webhook, "name")] = text(webhook, "failurePolicy")
	}
	return all
}
