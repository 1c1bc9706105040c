package e2e

import (
	"strings"
	"testing"

	"winadmit/tests/e2e/cluster"
)

// Service meshes have a mutating webhook too. It may be called before or after winadmit: the API server calls webhook
// configurations in the order of their names.
func TestASidecarInjectorMayRunBeforeOrAfterWinadmit(t *testing.T) {
	t.Parallel()
	results := map[string]string{}
	for _, order := range []string{"before", "after"} {
		n := newNamespace(t, order, instance("sidecar-"+order))
		intercept(t, winadmit, "sidecar-"+order, nil)
		injectBy(t, "sidecar-"+order, order, func(pod Object) []Object {
			for _, c := range list(pod, "spec", "containers") {
				if text(c, "name") == "istio-proxy" {
					return nil
				}
			}
			security := object(`{}`)
			if text(pod, "metadata", "labels", "app") == "privileged" {
				security["privileged"] = true
			}
			return []Object{{"op": "add", "path": "/spec/containers/-", "value": Object{
				"name": "istio-proxy", "image": "docker.io/istio/proxyv2:1.24.0", "securityContext": security}}}
		})
		n.eventually("both are in effect", func() bool {
			reply := n.dryRun(pod("probe", windows))
			return n.inEffect() && len(list(reply.Body, "spec", "containers")) == 2
		})
		reply := n.create(pod("web", windows))
		if !placed(reply.Body, "Win1809") || len(list(reply.Body, "spec", "containers")) != 2 {
			t.Errorf("%s: stored %v", order, reply.Body["spec"])
		}
		if !strings.Contains(strings.Join(reply.Warnings, "\n"), "(advice-linux-sidecar)") {
			t.Errorf("%s: no warning about the sidecar: %q", order, reply.Warnings)
		}
		results[order] = comparable(reply.Body)
		refused := n.post(pod("privileged", windows))
		if causes(refused)["spec.containers[1].securityContext.privileged"] != "ctr-privileged" {
			t.Errorf("%s: a privileged sidecar: %d %s", order, refused.Code, refused.Message())
		}
	}
	if results["before"] != results["after"] {
		t.Errorf("the order matters:\n%s\n%s", results["before"], results["after"])
	}
}

// Another webhook adds the Windows node selector. If it runs after winadmit, the pod is not placed: the API server calls a
// webhook again only if its matchConditions were true the first time. Then /validate warns.
func TestAPodThatAnotherWebhookMakesWindowsIsPlacedOrWarnedAbout(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"before", "after"} {
		n := newNamespace(t, order, instance("selector-"+order))
		intercept(t, winadmit, "selector-"+order, nil)
		injectBy(t, "selector-"+order, order, func(pod Object) []Object {
			if text(pod, "metadata", "labels", "app") != "plain" || at(pod, "spec", "nodeSelector") != nil {
				return nil
			}
			return []Object{{"op": "add", "path": "/spec/nodeSelector", "value": Object{"kubernetes.io/os": "windows"}}}
		})
		n.eventually("both are in effect", func() bool {
			reply := n.dryRun(pod("plain", `{}`))
			return n.inEffect() && text(reply.Body, "spec", "nodeSelector", "kubernetes.io/os") == "windows"
		})
		reply := n.create(pod("plain", `{}`))
		warned := strings.Contains(strings.Join(reply.Warnings, "\n"), "(advice-unplaced)")
		if isPlaced := placed(reply.Body, "Win1809"); isPlaced == warned || isPlaced != (order == "before") {
			t.Errorf("%s: placed %v, warnings %q", order, isPlaced, reply.Warnings)
		}
	}
}

// injectBy starts a mutating webhook in this process for the namespaces of an instance. The API server calls it before or
// after winadmit, because of the name of its configuration.
func injectBy(t *testing.T, instance, order string, mutate func(pod Object) (patch []Object)) {
	t.Helper()
	injector, err := cluster.StartInjector(t.TempDir(), mutate)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(injector.Close)
	name := map[string]string{"before": "a", "after": "z"}[order] + "-injector"
	configuration, err := injector.Configuration(name)
	if err != nil {
		t.Fatal(err)
	}
	cluster.Scope(configuration, instance)
	if err := shared.API.Apply(configuration); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		shared.API.Do("DELETE", cluster.Webhooks+"/mutatingwebhookconfigurations/"+name+"-"+instance, nil)
	})
}
