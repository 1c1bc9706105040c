package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"winadmit/tests/e2e/cluster"
)

func TestARuntimeClassWithSchedulingNeedsNoFurtherPlacement(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	n.must(n.api.Do("POST", "/apis/node.k8s.io/v1/runtimeclasses", object(`{
		"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "windows-2022"}, "handler": "runhcs-wcow-hypervisor",
		"scheduling": {
			"nodeSelector": {"kubernetes.io/os": "windows", "node.kubernetes.io/windows-build": "10.0.20348"},
			"tolerations": [{"key": "os", "value": "Win2022", "effect": "NoSchedule"}]}}`)))
	// The RuntimeClass cache of the API server is updated with a delay.
	var reply Reply
	n.eventually("the class is known", func() bool {
		reply = n.post(pod("web", `{"runtimeClassName": "windows-2022"}`))
		return reply.Created()
	})
	if !placed(reply.Body, "Win2022") || tolerates(reply.Body, "Win1809") || len(reply.Warnings) > 0 {
		t.Errorf("it has %v, warnings %q", at(reply.Body, "spec", "tolerations"), reply.Warnings)
	}
	n.eventually("it runs on the node of its build", func() bool { return allRunOn(n.pods("web"), "win2022") })
}

// The cluster runs pods on Linux nodes by default, and two namespaces have a list of labels that node selectors may have.
const admission = `
apiVersion: apiserver.config.k8s.io/v1
kind: AdmissionConfiguration
plugins:
- name: PodNodeSelector
  configuration:
    podNodeSelectorPluginConfig:
      clusterDefaultNodeSelector: kubernetes.io/os=linux
      pod-node-selector-checks-placed-pods-listed: kubernetes.io/os=windows
      pod-node-selector-checks-placed-pods-unlisted: zone=a
`

// restrictive starts an API server on the same etcd, with two admission plugins that are off by default.
var restrictive = sync.OnceValues(func() (*cluster.API, error) {
	file := filepath.Join(shared.Dir, "admission.yaml")
	if err := os.WriteFile(file, []byte(admission), 0o600); err != nil {
		return nil, err
	}
	return shared.StartAPIServer("kube-apiserver-restrictive",
		"--enable-admission-plugins=PodNodeSelector,PodTolerationRestriction", "--admission-control-config-file="+file)
})

const (
	nodeSelector = "scheduler.alpha.kubernetes.io/node-selector"
	whitelist    = "scheduler.alpha.kubernetes.io/tolerationsWhitelist"
)

// throughRestrictive returns a namespace with annotations, accessed through that API server.
func throughRestrictive(t *testing.T, suffix string, annotations Object) namespace {
	t.Helper()
	api, err := restrictive()
	if err != nil {
		t.Fatal(err)
	}
	n := newNamespace(t, suffix).through(api)
	n.must(n.do("PATCH", "/api/v1/namespaces/"+n.name, Object{"metadata": Object{"annotations": annotations}}), nil)
	return n
}

// The plugin merges the selector of the namespace or of the cluster before webhooks, and validates the pod after them.
func TestPodNodeSelectorChecksPlacedPods(t *testing.T) {
	t.Parallel()
	for suffix, each := range map[string]struct {
		annotations Object
		refused     string // "": it is placed
	}{
		"default":  {Object{}, "(os-conflict)"},
		"exempt":   {Object{nodeSelector: ""}, ""},
		"listed":   {Object{nodeSelector: ""}, ""},
		"unlisted": {Object{nodeSelector: ""}, "conflict with its namespace whitelist"},
	} {
		n := throughRestrictive(t, suffix, each.annotations)
		var reply Reply
		if !within(patience, func() bool {
			reply = n.dryRun(pod("web", `{"os": {"name": "windows"}}`))
			return reply.Created() == (each.refused == "") && strings.Contains(reply.Message(), each.refused)
		}) {
			t.Errorf("%s: %d %s", suffix, reply.Code, reply.Message())
		}
		if reply.Created() && !placed(reply.Body, "Win1809") {
			t.Errorf("%s: it is not placed", suffix)
		}
	}
}

func TestANodeSelectorOfTheNamespaceIsASignal(t *testing.T) {
	t.Parallel()
	n := throughRestrictive(t, "", Object{nodeSelector: "kubernetes.io/os=windows"})
	n.eventually("the namespace's selector is merged and the pod placed", func() bool {
		reply := n.dryRun(pod("probe", `{}`))
		return reply.Created() && placed(reply.Body, "Win1809")
	})
	if reply := n.dryRun(pod("host", `{"hostPID": true}`)); causes(reply)["spec.hostPID"] != "host-pid" {
		t.Errorf("a Linux field is not refused: %d %s", reply.Code, reply.Message())
	}
	n.create(pod("web", `{}`))
	n.eventually("it runs on the Windows node", func() bool { return allRunOn(n.pods("web"), "win1809") })
}

func TestATolerationWhitelistWithoutOurTolerationRefusesThePod(t *testing.T) {
	t.Parallel()
	allowed := `{"operator": "Exists", "key": "node.kubernetes.io/not-ready"}, {"operator": "Exists", "key": "node.kubernetes.io/unreachable"}`
	n := throughRestrictive(t, "", Object{nodeSelector: "", whitelist: "[" + allowed + "]"})
	// The error of the plugin has no status, so the API server responds with 500. Only the text is checked.
	n.eventually("the whitelist is in effect", func() bool { return !n.dryRun(pod("probe", windows)).Created() })
	reply := n.post(pod("web", windows))
	if !strings.Contains(reply.Message(), "conflict with its namespace whitelist") || !strings.Contains(reply.Message(), "toleration") {
		t.Errorf("refused: %d %s", reply.Code, reply.Message())
	}
	t.Logf("message: %s", reply.Message())
	if reply := n.post(pod("linux", `{}`)); !reply.Created() {
		t.Errorf("a Linux pod: %d %s", reply.Code, reply.Message())
	}
	n.must(n.do("PATCH", "/api/v1/namespaces/"+n.name, Object{"metadata": Object{"annotations": Object{
		whitelist: "[" + allowed + `, {"operator": "Exists", "key": "os"}]`}}}), nil)
	n.eventually("with our toleration on the whitelist it is accepted", func() bool { return n.dryRun(pod("web", windows)).Created() })
}

func TestPodSecurityRestrictedAcceptsPlacedPods(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", "pod-security.kubernetes.io/enforce=restricted")
	// Without spec.os the profile requires Linux hardening, which Windows ignores.
	hardened := `{"nodeSelector": {"kubernetes.io/os": "windows"},
		"securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
		"containers": [{"name": "main", "image": "registry.example/app:1", "securityContext": {
			"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}}}]}`
	if reply := n.create(pod("hardened", hardened)); !placed(reply.Body, "Win1809") {
		t.Error("the hardened pod is not placed")
	}
	// With spec.os the profile requires only what Windows supports, and there is no warning.
	native := `{"os": {"name": "windows"}, "securityContext": {"runAsNonRoot": true, "windowsOptions": {"runAsUserName": "ContainerUser"}}}`
	if reply := n.create(pod("native", native)); !placed(reply.Body, "Win1809") || len(reply.Warnings) > 0 {
		t.Errorf("the native pod: placed %v, warnings %q", placed(reply.Body, "Win1809"), reply.Warnings)
	}
	if reply := n.post(pod("lax", windows)); !strings.Contains(reply.Message(), "PodSecurity") {
		t.Errorf("the lax pod: %d %s", reply.Code, reply.Message())
	}
	for _, name := range []string{"hardened", "native"} {
		n.eventually(name+" runs on the Windows node", func() bool { return allRunOn(n.pods(name), "win1809") })
	}
}

func TestLimitRangeDefaultsAreNotFindings(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	n.create(object(`{"apiVersion": "v1", "kind": "LimitRange", "metadata": {"name": "defaults"}, "spec": {"limits": [{
		"type": "Container", "default": {"cpu": "500m", "memory": "256Mi"}, "defaultRequest": {"cpu": "100m", "memory": "128Mi"}}]}}`))
	var reply Reply
	n.eventually("the defaults are in the pod", func() bool {
		reply = n.dryRun(pod("web", windows))
		return text(reply.Body, "spec", "containers", 0, "resources", "limits", "cpu") == "500m"
	})
	if !placed(reply.Body, "Win1809") || len(reply.Warnings) > 0 {
		t.Errorf("placed %v, warnings %q", placed(reply.Body, "Win1809"), reply.Warnings)
	}
}
