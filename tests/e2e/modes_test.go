package e2e

import (
	"bufio"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestModeWarnStoresThePodAndWarns(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", warn)
	reply := n.create(pod("web", unsupported))
	if !strings.Contains(strings.Join(reply.Warnings, "\n"), "spec.hostPID: ") {
		t.Errorf("the warnings are %q", reply.Warnings)
	}
	if !placed(reply.Body, "Win1809") {
		t.Error("the pod is not placed")
	}
}

// Nobody sees the warnings about the pods of a Deployment.
func TestModeWarnWarnsOfADeployment(t *testing.T) {
	t.Parallel()
	for os, spec := range map[string]string{"": unsupported, "windows": `{"hostPID": true}`} {
		n := newNamespace(t, os, warn, "winadmit.dev/default-os="+os)
		reply := n.create(workload("Deployment", "web", spec))
		if !strings.Contains(strings.Join(reply.Warnings, "\n"), "spec.template.spec.hostPID: ") {
			t.Errorf("default OS %q: the warnings are %q", os, reply.Warnings)
		}
	}
}

func TestWithDefaultOsWindowsADeploymentWithoutASignalIsWarnedAbout(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", defaultWindows)
	reply := n.create(workload("Deployment", "web", `{"hostPID": true}`))
	if !strings.Contains(strings.Join(reply.Warnings, "\n"), "spec.template.spec.hostPID: ") {
		t.Errorf("the warnings are %q", reply.Warnings)
	}
}

func TestModeAuditAnnotatesAPodThatIsForWindowsByDefault(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", audit, defaultWindows)
	n.create(pod("web", `{"hostPID": true}`))
	for key := range auditAnnotations(t, n.name) {
		if strings.HasSuffix(key, "winadmit.dev/host-pid") {
			return
		}
	}
	t.Error("no annotation of the audit log names host-pid")
}

// The kubelet refuses a pod whose node selector does not match the node that it names.
func TestWithADefaultOsAPodThatNamesItsNodeGetsNoSelector(t *testing.T) {
	t.Parallel()
	for _, os := range []string{"windows", "linux"} {
		n := newNamespace(t, os, "winadmit.dev/default-os="+os)
		reply := n.create(pod("debugger", `{"nodeName": "linux-a"}`))
		if got := at(reply.Body, "spec", "nodeSelector"); got != nil {
			t.Errorf("%s: the node selector is %v", os, got)
		}
	}
}

func TestModeAuditChangesNothingAndAnnotatesTheAuditLog(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", audit)
	reply := n.create(pod("web", unsupported))
	if len(reply.Warnings) > 0 {
		t.Errorf("the user gets warnings: %q", reply.Warnings)
	}
	if tolerates(reply.Body, "Win1809") {
		t.Error("mode audit must not change the pod")
	}
	annotations := auditAnnotations(t, n.name)
	found := false
	for key, value := range annotations {
		found = found || strings.HasSuffix(key, "winadmit.dev/host-pid") && strings.HasPrefix(value, "spec.hostPID: ")
	}
	if !found {
		t.Errorf("no annotation of the audit log names host-pid: %v", annotations)
	}
}

func TestModeEnforceRefusesThePod(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", "winadmit.dev/mode=enforce")
	if reply := n.post(pod("web", unsupported)); reply.Code != 403 {
		t.Errorf("%d %s", reply.Code, reply.Message())
	}
}

func TestModeOffKubeSystemAndWinadmitSystemAreNeverIntercepted(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", off)
	system := namespace{t, "kube-system", shared.API}
	own := namespace{t, "winadmit-system", shared.API}
	own.must(own.api.Do("POST", "/api/v1/namespaces", object(
		`{"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "winadmit-system"}}`)))
	for _, n := range []namespace{n, system, own} {
		n.eventually("its default service account", func() bool { return n.get("ServiceAccount", "default").Code == 200 })
		reply := n.create(pod("not-intercepted", unsupported))
		if tolerates(reply.Body, "Win1809") || len(reply.Warnings) > 0 {
			t.Errorf("%s: winadmit was called: %q", n.name, reply.Warnings)
		}
		for key, value := range auditAnnotations(t, n.name) {
			if strings.Contains(value, "winadmit.dev") {
				t.Errorf("%s: a webhook was called: %s: %s", n.name, key, value)
			}
		}
	}
}

func TestAnExemptNamespaceIsNeverIntercepted(t *testing.T) {
	t.Parallel()
	n := existingNamespace(t, "exempt-by-config")
	reply := n.create(pod("web", unsupported))
	if tolerates(reply.Body, "Win1809") || len(reply.Warnings) > 0 {
		t.Errorf("winadmit was called: %q", reply.Warnings)
	}
	for key, value := range auditAnnotations(t, n.name) {
		if strings.Contains(value, "winadmit.dev") {
			t.Errorf("a webhook was called: %s: %s", key, value)
		}
	}
}

func TestWithDefaultOsWindowsAPodWithoutASignalIsAWindowsPod(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", defaultWindows)
	if reply := n.create(pod("plain", `{}`)); !placed(reply.Body, "Win1809") || len(reply.Warnings) > 0 {
		t.Errorf("it is not placed: %v %q", at(reply.Body, "spec", "nodeSelector"), reply.Warnings)
	}
	if reply := n.post(pod("host", `{"hostPID": true}`)); causes(reply)["spec.hostPID"] != "host-pid" {
		t.Errorf("a Linux field is not refused: %d %s", reply.Code, reply.Message())
	}
	reply := n.create(pod("linux", `{"nodeSelector": {"kubernetes.io/os": "linux"}, "hostPID": true}`))
	if tolerates(reply.Body, "Win1809") || len(reply.Warnings) > 0 {
		t.Errorf("a Linux pod is treated as a Windows pod: %q", reply.Warnings)
	}
}

// The DaemonSet controller adds an affinity for one node to each pod. So the pods must be placed in the template, before
// the controller chooses nodes.
func TestWithDefaultOsADaemonSetWithoutASignalRunsOnThatOs(t *testing.T) {
	t.Parallel()
	for os, nodes := range map[string][]string{"windows": {"win1809"}, "linux": {"linux-a", "linux-b"}} {
		n := newNamespace(t, os, "winadmit.dev/default-os="+os)
		reply := n.create(workload("DaemonSet", "agent", `{}`))
		if got := text(reply.Body, "spec", "template", "spec", "nodeSelector", "kubernetes.io/os"); got != os {
			t.Errorf("%s: the template selects %q", os, got)
		}
		n.eventually("a pod runs on each of "+strings.Join(nodes, ", ")+" and nowhere else", func() bool {
			var on []string
			for _, pod := range n.pods("agent") {
				if text(pod, "status", "phase") == "Running" {
					on = append(on, text(pod, "spec", "nodeName"))
				}
			}
			slices.Sort(on)
			return slices.Equal(on, nodes) && len(n.pods("agent")) == len(nodes)
		})
	}
}

func TestWithDefaultOsLinuxAPodWithoutASignalIsALinuxPod(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "", defaultLinux)
	reply := n.create(pod("plain", `{"hostPID": true}`))
	if text(reply.Body, "spec", "nodeSelector", "kubernetes.io/os") != "linux" || len(reply.Warnings) > 0 {
		t.Errorf("it has no Linux node selector: %v %q", at(reply.Body, "spec", "nodeSelector"), reply.Warnings)
	}
	if reply := n.create(pod("windows", windows)); !placed(reply.Body, "Win1809") {
		t.Error("a Windows pod is not placed")
	}
	if reply := n.post(pod("host", unsupported)); reply.Code != 403 {
		t.Errorf("an unsupported Windows pod is not refused: %d", reply.Code)
	}
}

// auditAnnotations returns the annotations in the audit log of all requests for pods of a namespace.
func auditAnnotations(t *testing.T, namespace string) map[string]string {
	t.Helper()
	log, err := os.Open(shared.API.AuditLog)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	found, events := map[string]string{}, 0
	lines := bufio.NewScanner(log)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var event struct {
			ObjectRef   struct{ Namespace string }
			Annotations map[string]string
		}
		if json.Unmarshal(lines.Bytes(), &event) != nil || event.ObjectRef.Namespace != namespace {
			continue
		}
		events++
		for key, value := range event.Annotations {
			found[key] = value
		}
	}
	if events == 0 {
		t.Errorf("the audit log has no request to %s", namespace)
	}
	return found
}
