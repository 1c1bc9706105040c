package e2e

import (
	"context"
	"crypto/tls"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
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
	// The API server's cache of RuntimeClasses is a moment behind.
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

// Two plugins that are off by default, on an API server of their own over the same etcd.
var restrictive = sync.OnceValues(func() (*cluster.API, error) {
	return shared.StartAPIServer("kube-apiserver-restrictive",
		"--enable-admission-plugins=PodNodeSelector,PodTolerationRestriction")
})

// throughRestrictive is a namespace with annotations, seen through that API server.
func throughRestrictive(t *testing.T, annotations Object) namespace {
	t.Helper()
	api, err := restrictive()
	if err != nil {
		t.Fatal(err)
	}
	n := newNamespace(t, "").through(api)
	n.must(n.do("PATCH", "/api/v1/namespaces/"+n.name, Object{"metadata": Object{"annotations": annotations}}), nil)
	return n
}

func TestANodeSelectorOfTheNamespaceIsASignal(t *testing.T) {
	t.Parallel()
	n := throughRestrictive(t, Object{"scheduler.alpha.kubernetes.io/node-selector": "kubernetes.io/os=windows"})
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
	n := throughRestrictive(t, Object{"scheduler.alpha.kubernetes.io/tolerationsWhitelist": "[" + allowed + "]"})
	// The plugin's own error has no status, so the API server answers 500: the text is what counts.
	n.eventually("the whitelist is in force", func() bool { return !n.dryRun(pod("probe", windows)).Created() })
	reply := n.post(pod("web", windows))
	if !strings.Contains(reply.Message(), "conflict with its namespace whitelist") || !strings.Contains(reply.Message(), "toleration") {
		t.Errorf("refused: %d %s", reply.Code, reply.Message())
	}
	t.Logf("the API server says: %s", reply.Message())
	if reply := n.post(pod("linux", `{}`)); !reply.Created() {
		t.Errorf("a Linux pod: %d %s", reply.Code, reply.Message())
	}
	n.must(n.do("PATCH", "/api/v1/namespaces/"+n.name, Object{"metadata": Object{"annotations": Object{
		"scheduler.alpha.kubernetes.io/tolerationsWhitelist": "[" + allowed + `, {"operator": "Exists", "key": "os"}]`}}}), nil)
	n.eventually("with our toleration on the whitelist it is accepted", func() bool { return n.dryRun(pod("web", windows)).Created() })
}

func TestPodSecurityRestrictedAcceptsPlacedPods(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", "pod-security.kubernetes.io/enforce=restricted")
	// What the profile asks of a pod that does not say its OS is Linux hardening that Windows ignores.
	hardened := `{"nodeSelector": {"kubernetes.io/os": "windows"},
		"securityContext": {"runAsNonRoot": true, "seccompProfile": {"type": "RuntimeDefault"}},
		"containers": [{"name": "main", "image": "registry.example/app:1", "securityContext": {
			"allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]}}}]}`
	if reply := n.create(pod("hardened", hardened)); !placed(reply.Body, "Win1809") {
		t.Error("the hardened pod is not placed")
	}
	// With spec.os the profile asks for nothing that Windows lacks, and nobody warns.
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

// A second mutating webhook, as service meshes have one, on either side of ours: configurations are
// called in the order of their names.
func TestASidecarInjectorMayRunBeforeOrAfterWinadmit(t *testing.T) {
	t.Parallel()
	results := map[string]string{}
	for _, order := range []string{"before", "after"} {
		n := newNamespace(t, order, instance("sidecar-"+order))
		intercept(t, winadmit, "sidecar-"+order, nil)
		injector(t, order, func(pod Object) (patch []Object) {
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
			return n.judged() && len(list(reply.Body, "spec", "containers")) == 2
		})
		reply := n.create(pod("web", windows))
		if !placed(reply.Body, "Win1809") || len(list(reply.Body, "spec", "containers")) != 2 {
			t.Errorf("%s: stored %v", order, reply.Body["spec"])
		}
		if !strings.Contains(strings.Join(reply.Warnings, "\n"), "(advice-linux-sidecar)") {
			t.Errorf("%s: the sidecar is not named: %q", order, reply.Warnings)
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

// A webhook that makes a pod a Windows pod: the API server asks a webhook again only if its
// matchConditions held the first time, so a later one's pod is not placed, and /validate says so.
func TestAPodThatAnotherWebhookMakesWindowsIsPlacedOrWarnedAbout(t *testing.T) {
	t.Parallel()
	for _, order := range []string{"before", "after"} {
		n := newNamespace(t, order, instance("selector-"+order))
		intercept(t, winadmit, "selector-"+order, nil)
		injector(t, "selector-"+order, func(pod Object) []Object {
			if text(pod, "metadata", "labels", "app") != "plain" || at(pod, "spec", "nodeSelector") != nil {
				return nil
			}
			return []Object{{"op": "add", "path": "/spec/nodeSelector", "value": Object{"kubernetes.io/os": "windows"}}}
		})
		n.eventually("both are in effect", func() bool {
			reply := n.dryRun(pod("plain", `{}`))
			return n.judged() && text(reply.Body, "spec", "nodeSelector", "kubernetes.io/os") == "windows"
		})
		reply := n.create(pod("plain", `{}`))
		warned := strings.Contains(strings.Join(reply.Warnings, "\n"), "(advice-unplaced)")
		if isPlaced := placed(reply.Body, "Win1809"); isPlaced == warned || isPlaced != (order == "before") {
			t.Errorf("%s: placed %v, warnings %q", order, isPlaced, reply.Warnings)
		}
	}
}

// injector runs a mutating webhook in this process, called before or after winadmit's by its name,
// for the namespaces of the instance that order ends in.
func injector(t *testing.T, name string, mutate func(pod Object) []Object) {
	t.Helper()
	instance := name
	if !strings.Contains(name, "-") {
		instance = "sidecar-" + name
	}
	prefix := "a"
	if strings.HasSuffix(name, "after") {
		prefix = "z"
	}
	dir := t.TempDir()
	if err := cluster.IssuePair(dir, "localhost"); err != nil {
		t.Fatal(err)
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "tls.crt"), filepath.Join(dir, "tls.key"))
	if err != nil {
		t.Fatal(err)
	}
	ca, err := os.ReadFile(filepath.Join(dir, "ca.crt"))
	if err != nil {
		t.Fatal(err)
	}
	listener, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review Object
		json.NewDecoder(r.Body).Decode(&review)
		response := Object{"uid": at(review, "request", "uid"), "allowed": true}
		if patch := mutate(at(review, "request", "object").(Object)); patch != nil {
			operations, _ := json.Marshal(patch)
			response["patchType"], response["patch"] = "JSONPatch", base64.StdEncoding.EncodeToString(operations)
		}
		review["response"] = response
		delete(review, "request")
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(review)
	})}
	go server.Serve(listener)
	t.Cleanup(func() { server.Shutdown(context.Background()) })

	configuration := Object{"apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingWebhookConfiguration",
		"metadata": Object{"name": prefix + "-injector-" + instance},
		"webhooks": []any{Object{
			"name": "injector.example.com", "sideEffects": "None", "admissionReviewVersions": []any{"v1"},
			"reinvocationPolicy": "IfNeeded",
			"clientConfig": Object{
				"url":      fmt.Sprintf("https://localhost:%d/", listener.Addr().(*net.TCPAddr).Port),
				"caBundle": base64.StdEncoding.EncodeToString(ca)},
			"namespaceSelector": Object{"matchLabels": Object{cluster.InstanceLabel: instance}},
			"rules": []any{Object{"apiGroups": []any{""}, "apiVersions": []any{"v1"}, "operations": []any{"CREATE"},
				"resources": []any{"pods"}}}}}}
	if err := shared.API.Apply(configuration); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		shared.API.Do("DELETE", cluster.Webhooks+"/mutatingwebhookconfigurations/"+prefix+"-injector-"+instance, nil)
	})
}
