package e2e

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
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
		inject(t, "sidecar-"+order, named[order], nil, func(pod Object) []Object {
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
		if causes(refused)["spec.containers[1].securityContext.privileged"] != "privileged" {
			t.Errorf("%s: a privileged sidecar: %d %s", order, refused.Code, refused.Message())
		}
	}
	if results["before"] != results["after"] {
		t.Errorf("the order matters:\n%s\n%s", results["before"], results["after"])
	}
}

// Names of configurations that the API server calls before winadmit and after it.
var named = map[string]string{"before": "0-injector", "after": "z-injector"}

// Several vendors' webhooks read the node selector that winadmit adds, and are called once. Their names sort before winadmit, but
// for that of GKE.
func TestWebhooksThatReadTheNodeSelectorSeeThatOfWinadmit(t *testing.T) {
	t.Parallel()
	signals := map[string]string{
		"spec.os":        `{"os": {"name": "windows"}}`,
		"build":          selector("node.kubernetes.io/windows-build", build2019),
		"affinity":       `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}]}]}}}}`,
		"windowsOptions": `{"securityContext": {"windowsOptions": {"runAsUserName": "ContainerUser"}}}`,
		"node selector":  windows,
		"default":        `{}`,
	}
	for _, name := range []string{"winadmit", "00-winadmit"} {
		t.Run(name, func(t *testing.T) {
			id := "order-" + name
			intercept(t, winadmit, id, func(configuration Object) {
				if configuration["kind"] == "MutatingWebhookConfiguration" {
					configuration["metadata"].(Object)["name"] = name + "-" + id
				}
			})
			for _, each := range readers {
				inject(t, id, each.configuration, once, func(pod Object) []Object { return each.mutate(pod, each.isWindows(pod)) })
			}
			n, byDefault := newNamespace(t, "", instance(id)), newNamespace(t, "default", instance(id), defaultWindows)
			isRight := func(n namespace, each reader, spec string) bool {
				stored, _ := json.Marshal(n.must(n.dryRun(pod("web", spec)), nil).Body)
				return strings.Contains(string(stored), each.right)
			}
			for _, n := range []namespace{n, byDefault} {
				n.eventually("all are in effect", func() bool {
					return n.inEffect() && !slices.ContainsFunc(readers, func(each reader) bool { return !isRight(n, each, windows) })
				})
			}
			for signal, spec := range signals {
				n := n
				if signal == "default" {
					n = byDefault
				}
				for _, each := range readers {
					want := name == "00-winadmit" || each.configuration > name || each.isWindows(pod("web", spec))
					if got := isRight(n, each, spec); got != want {
						t.Errorf("%s, %s: treated as a Windows pod: %v, not %v", each.configuration, signal, got, want)
					}
				}
			}
		})
	}
}

func TestTheTolerationOfGKEIsNotAddedTwice(t *testing.T) {
	t.Parallel()
	server, err := shared.StartWinadmit("winadmit-gke-webhook", "platform: gke\n")
	if err != nil {
		t.Fatal(err)
	}
	for order, name := range map[string]string{"before": "0-gke", "after": "windows.config.common-webhooks.networking.gke.io"} {
		id := "gke-" + order
		var called atomic.Bool
		intercept(t, server, id, nil)
		inject(t, id, name, once, func(pod Object) []Object {
			called.Store(true)
			return gkeToleration(pod, selectsWindows("kubernetes.io/os")(pod))
		})
		n := newNamespace(t, order, instance(id))
		n.eventually("both are in effect", func() bool { return n.dryRun(pod("probe", unsupported)).Code == 403 && called.Load() })
		for _, spec := range []string{windows, `{"os": {"name": "windows"}}`} {
			count := 0
			for _, each := range list(n.create(pod("web", spec)).Body, "spec", "tolerations") {
				if text(each, "key") == "node.kubernetes.io/os" {
					count++
				}
			}
			if count != 1 {
				t.Errorf("%s: %s has the toleration %d times", order, spec, count)
			}
			n.must(n.do("DELETE", n.path("Pod", "web")+"?gracePeriodSeconds=0", nil), nil)
		}
	}
}

// What others add to every pod is refused on Windows pods, with its fields: by winadmit, or with spec.os by the API server itself.
func TestFieldsThatOthersAddAreNamedInTheRefusal(t *testing.T) {
	t.Parallel()
	const specOS = `{"os": {"name": "windows"}}`
	for _, each := range []struct {
		name, configuration string
		mutate              func(Object) []Object
		refused             map[string]string // by the spec of the pod, the fields; "": it is admitted
	}{
		{"azure", "gatekeeper-mutating-webhook-configuration", azurePolicy, map[string]string{
			windows: "spec.containers[0].securityContext.capabilities.drop spec.containers[0].securityContext.readOnlyRootFilesystem " +
				"spec.securityContext.seccompProfile",
			specOS: "spec.containers[0].securityContext.allowPrivilegeEscalation spec.containers[0].securityContext.capabilities " +
				"spec.containers[0].securityContext.readOnlyRootFilesystem spec.securityContext.seccompProfile",
		}},
		{"scc", "0-scc", scc, map[string]string{
			windows: "spec.containers[0].securityContext.runAsUser spec.securityContext.fsGroup spec.securityContext.seLinuxOptions",
			specOS:  "",
		}},
	} {
		id := "fields-" + each.name
		intercept(t, winadmit, id, nil)
		inject(t, id, each.configuration, once, each.mutate)
		n := newNamespace(t, each.name, instance(id))
		for spec, want := range each.refused {
			var reply Reply
			if !within(patience, func() bool {
				reply = n.dryRun(pod("web", spec))
				fields := strings.Join(slices.Sorted(maps.Keys(causes(reply))), " ")
				return fields == want && (want != "" || placed(reply.Body, "Win1809"))
			}) {
				t.Errorf("%s: %s: %d %s, not %q", each.name, spec, reply.Code, reply.Message(), want)
			}
		}
	}
}

// Another webhook makes a pod a Windows pod. If it runs after winadmit, the pod is not placed: the API server calls a webhook
// again only if its matchConditions were true the first time. Then /validate warns, unless the other one places the pod itself.
func TestAPodThatAnotherWebhookMakesWindowsIsPlacedOrWarnedAbout(t *testing.T) {
	t.Parallel()
	os := Object{"op": "add", "path": "/spec/os", "value": Object{"name": "windows"}}
	nodeSelector := Object{"op": "add", "path": "/spec/nodeSelector", "value": Object{"kubernetes.io/os": "windows"}}
	toleration := Object{"op": "add", "path": "/spec/tolerations/-", "value": Object{"key": "os", "value": "Win1809", "effect": "NoSchedule"}}
	for name, each := range map[string]struct {
		order            string
		patch            []Object
		isPlaced, warned bool
	}{
		"before":   {"before", []Object{os}, true, false},
		"after":    {"after", []Object{os}, false, true},
		"complete": {"after", []Object{os, nodeSelector, toleration}, true, false},
	} {
		id := "late-" + name
		n := newNamespace(t, name, instance(id))
		intercept(t, winadmit, id, nil)
		inject(t, id, named[each.order], nil, func(pod Object) []Object {
			if text(pod, "metadata", "labels", "app") != "plain" || at(pod, "spec", "os") != nil {
				return nil
			}
			return each.patch
		})
		n.eventually("both are in effect", func() bool {
			return n.inEffect() && text(n.dryRun(pod("plain", `{}`)).Body, "spec", "os", "name") == "windows"
		})
		reply := n.create(pod("plain", `{}`))
		warned := strings.Contains(strings.Join(reply.Warnings, "\n"), "(advice-unplaced)")
		if isPlaced := placed(reply.Body, "Win1809"); isPlaced != each.isPlaced || warned != each.warned {
			t.Errorf("%s: placed %v, warnings %q", name, isPlaced, reply.Warnings)
		}
	}
}

// Controllers hold pods back by a scheduling gate, and update them when they know where these are to run.
func TestAPodThatIsUpdatedWhileItIsGatedIsPlaced(t *testing.T) {
	t.Parallel()
	intercept(t, winadmit, "gated", nil)
	inject(t, "gated", "kueue-mutating-webhook-configuration", once, gate)
	n := newNamespace(t, "", instance("gated"))
	n.eventually("both are in effect", func() bool {
		return n.inEffect() && list(n.dryRun(pod("probe", `{}`)).Body, "spec", "schedulingGates") != nil
	})
	for name, each := range map[string]struct{ spec, update string }{
		"kueue":     {`{}`, windows},
		"multiarch": {windows, `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/arch", "operator": "In", "values": ["amd64"]}]}]}}}}`},
	} {
		n.create(pod(name, each.spec))
		update := object(each.update)
		update["schedulingGates"] = nil
		if reply := n.must(n.patch("Pod", name, Object{"spec": update}), nil); !placed(reply.Body, "Win1809") || len(reply.Warnings) > 0 {
			t.Errorf("%s: placed %v, warnings %q", name, placed(reply.Body, "Win1809"), reply.Warnings)
		}
		n.eventually(name+" runs on the Windows node", func() bool { return allRunOn(n.pods(name), "win1809") })
	}
}

// AKS changes the selectors of configurations without the label admissions.enforcer/disabled. Then a server-side apply conflicts.
func TestAnApplyAfterTheAdmissionsEnforcerOfAKSNeedsForce(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	configurations, err := winadmit.Export()
	if err != nil {
		t.Fatal(err)
	}
	configuration := configurations[0]
	cluster.Scope(configuration, "enforced")
	ours, _ := json.Marshal(configuration)
	t.Cleanup(func() { shared.API.Kubectl(string(ours), "delete", "-f", "-") })
	n.kubectl(string(ours), "apply", "--server-side", "-f", "-")

	webhook := list(configuration, "webhooks")[0].(Object)
	expressions := append(list(webhook, "namespaceSelector", "matchExpressions"), Object{"key": "control-plane", "operator": "DoesNotExist"})
	enforced, _ := json.Marshal(Object{
		"apiVersion": configuration["apiVersion"], "kind": configuration["kind"], "metadata": Object{"name": text(configuration, "metadata", "name")},
		"webhooks": []any{Object{"name": webhook["name"], "namespaceSelector": Object{"matchExpressions": expressions}}}})
	n.kubectl(string(enforced), "apply", "--server-side", "--force-conflicts", "--field-manager=admissionsenforcer", "-f", "-")

	if _, _, err := n.tryKubectl(string(ours), "apply", "--server-side", "-f", "-"); err == nil || !strings.Contains(err.Error(), `conflict with "admissionsenforcer"`) {
		t.Errorf("the apply: %v", err)
	}
	n.kubectl(string(ours), "apply", "--server-side", "--force-conflicts", "-f", "-")
}
