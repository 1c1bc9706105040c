package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// The ways in which a pod says for certain that it is for Windows, one each.
var signals = map[string]string{
	"spec-os":         `{"os": {"name": "windows"}}`,
	"selector":        `{"nodeSelector": {"kubernetes.io/os": "windows"}}`,
	"beta-selector":   `{"nodeSelector": {"beta.kubernetes.io/os": "windows"}}`,
	"affinity":        `{"affinity": {"nodeAffinity": {"requiredDuringSchedulingIgnoredDuringExecution": {"nodeSelectorTerms": [{"matchExpressions": [{"key": "kubernetes.io/os", "operator": "In", "values": ["windows"]}]}]}}}}`,
	"windows-options": `{"securityContext": {"windowsOptions": {"runAsUserName": "ContainerUser"}}}`,
	"host-process":    `{"hostNetwork": true, "securityContext": {"windowsOptions": {"hostProcess": true, "runAsUserName": "NT AUTHORITY\\SYSTEM"}}}`,
	"runtime-class":   `{"runtimeClassName": "windows"}`,
	"windows-build":   `{"nodeSelector": {"node.kubernetes.io/windows-build": "10.0.20348"}}`,
}

var podMakers = []string{"Pod", "Deployment", "StatefulSet", "Job", "CronJob", "DaemonSet"}

func TestEverySignalSchedulesEveryWorkloadToTheNodeOfItsBuild(t *testing.T) {
	t.Parallel()
	withoutScheduling(t)
	with, without := newNamespace(t, "with"), newNamespace(t, "without", off)
	for signal, spec := range signals {
		for _, kind := range podMakers {
			o := workload(kind, strings.ToLower(kind)+"-"+signal, spec)
			with.create(o)
			without.create(o)
		}
	}
	for signal := range signals {
		node := "win1809"
		if signal == "windows-build" {
			node = "win2022"
		}
		for _, kind := range podMakers {
			name := strings.ToLower(kind) + "-" + signal
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				with, without := with, without
				with.t, without.t = t, t
				with.eventually("pods run on "+node+" and nowhere else", func() bool {
					return allRunOn(with.pods(name), node)
				})
				without.eventually("the scheduler has spoken", func() bool { return decided(without, kind, name) })
				for _, pod := range without.pods(name) {
					if strings.HasPrefix(text(pod, "spec", "nodeName"), "win") {
						t.Errorf("without winadmit it runs on %s all the same", text(pod, "spec", "nodeName"))
					}
				}
			})
		}
	}
}

// withoutScheduling makes the RuntimeClass that the configuration lists as Windows. It says nothing
// of nodes, so the API server's own plugin adds nothing.
func withoutScheduling(t *testing.T) {
	n := namespace{t, "default", shared.API}
	n.must(n.api.Do("POST", "/apis/node.k8s.io/v1/runtimeclasses", object(
		`{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "windows"}, "handler": "runhcs-wcow-process"}`)))
}

// allRunOn says whether there are pods and each runs, or has run to its end, on the node.
func allRunOn(pods []Object, node string) bool {
	for _, pod := range pods {
		phase := text(pod, "status", "phase")
		if text(pod, "spec", "nodeName") != node || phase != "Running" && phase != "Succeeded" {
			return false
		}
	}
	return len(pods) > 0
}

// decided says whether each pod is bound or was found to be unschedulable; a DaemonSet has as many
// pods as there are nodes for it, which may be none.
func decided(n namespace, kind, name string) bool {
	pods := n.pods(name)
	if kind == "DaemonSet" {
		status := n.get(kind, name).Body["status"]
		return at(status, "observedGeneration") != nil &&
			fmt.Sprint(at(status, "desiredNumberScheduled")) == fmt.Sprint(len(pods))
	}
	for _, pod := range pods {
		if text(pod, "spec", "nodeName") == "" && condition(pod, "PodScheduled") != "Unschedulable" {
			return false
		}
	}
	return len(pods) > 0
}

// condition is the reason of a pod's condition.
func condition(pod Object, kind string) string {
	for _, c := range list(pod, "status", "conditions") {
		if text(c, "type") == kind {
			return text(c, "reason")
		}
	}
	return ""
}
