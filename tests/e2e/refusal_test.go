package e2e

import (
	"encoding/json"
	"strings"
	"testing"
)

// A Windows pod with five fields that Windows does not support.
const unsupportedSpec = `{
	"nodeSelector": {"kubernetes.io/os": "windows"},
	"hostPID": true,
	"hostIPC": true,
	"securityContext": {"runAsUser": 1000, "sysctls": [{"name": "net.ipv4.tcp_syncookies", "value": "1"}]},
	"containers": [{"name": "main", "image": "mcr.microsoft.com/windows/nanoserver:ltsc2019",
		"securityContext": {"privileged": true}}]}`

// unsupportedRules are the fields and rules that the refusal of unsupportedSpec must name.
var unsupportedRules = map[string]string{
	"spec.hostPID":                                  "host-pid",
	"spec.hostIPC":                                  "host-ipc",
	"spec.securityContext.runAsUser":                "run-as-user",
	"spec.securityContext.sysctls":                  "sysctls",
	"spec.containers[0].securityContext.privileged": "privileged",
}

func TestApplyOfAnUnsupportedPodPrintsEveryReasonAndStoresNothing(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	manifest := pod("unsupported", unsupportedSpec)
	_, _, err := n.tryKubectl(asJSON(manifest), "apply", "-f", "-")
	if err == nil {
		t.Fatal("kubectl apply succeeded")
	}
	for field, rule := range unsupportedRules {
		if !strings.Contains(err.Error(), field+":") || !strings.Contains(err.Error(), "("+rule+")") {
			t.Errorf("kubectl does not name %s (%s):\n%v", field, rule, err)
		}
	}
	if stored := n.get("Pod", "unsupported"); stored.Code != 404 {
		t.Errorf("the pod is stored: %d", stored.Code)
	}

	reply := n.post(manifest)
	if reply.Code != 403 || text(reply.Body, "reason") != "Forbidden" {
		t.Errorf("refused with %d %s", reply.Code, text(reply.Body, "reason"))
	}
	if found := causes(reply); !equal(found, unsupportedRules) {
		t.Errorf("details.causes: %v", found)
	}
}

// With spec.os the API server itself refuses unsupported fields, before it calls validating webhooks. Without spec.os the
// user sees the reasons of winadmit.
func TestWithSpecOsTheAPIServerValidatesFirst(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	manifest := pod("unsupported", unsupportedSpec)
	manifest["spec"].(Object)["os"] = Object{"name": "windows"}
	reply := n.post(manifest)
	if reply.Code != 422 || text(reply.Body, "reason") != "Invalid" {
		t.Fatalf("refused with %d %s", reply.Code, text(reply.Body, "reason"))
	}
	if !strings.Contains(reply.Message(), "cannot be set for a windows pod") || strings.Contains(reply.Message(), "(host-pid)") {
		t.Errorf("message: %s", reply.Message())
	}
	t.Logf("message: %s", reply.Message())
}

func TestADeploymentOfUnsupportedPodsIsStoredWithWarnings(t *testing.T) {
	t.Parallel()
	n := newNamespace(t, "")
	_, stderr := n.kubectl(asJSON(workload("Deployment", "web", unsupportedSpec)), "apply", "-f", "-")
	for field, rule := range unsupportedRules {
		line := "spec.template." + field
		if !strings.Contains(stderr, line) || !strings.Contains(stderr, "("+rule+")") {
			t.Errorf("no warning names %s (%s):\n%s", line, rule, stderr)
		}
	}
	var message string
	n.eventually("an event of the ReplicaSet has the refusal", func() bool {
		for _, event := range list(n.get("Event", "").Body, "items") {
			if text(event, "involvedObject", "kind") == "ReplicaSet" && text(event, "reason") == "FailedCreate" &&
				strings.Contains(text(event, "message"), "(host-pid)") {
				message = text(event, "message")
				return true
			}
		}
		return false
	})
	// kubectl get events prints no more than the first line.
	first, _, _ := strings.Cut(message, "\n")
	if !strings.Contains(first, "5 problems. First: spec.") || !strings.Contains(first, "; ") {
		t.Errorf("the first line of the event does not say what to do: %s", first)
	}
	for _, rule := range unsupportedRules {
		if !strings.Contains(first, rule) {
			t.Errorf("the first line of the event does not name %s: %s", rule, first)
		}
	}
	if pods := n.pods("web"); len(pods) != 0 {
		t.Errorf("it has %d pods", len(pods))
	}
}

func asJSON(o Object) string {
	text, err := json.MarshalIndent(o, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(text)
}
