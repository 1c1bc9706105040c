package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// One pod spec for each signal that a pod is a Windows pod.
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

var podKinds = []string{"Pod", "Deployment", "StatefulSet", "Job", "CronJob", "DaemonSet"}

func TestEverySignalSchedulesEveryWorkloadToTheNodeOfItsBuild(t *testing.T) {
	t.Parallel()
	createRuntimeClass(t)
	with, without := newNamespace(t, "with"), newNamespace(t, "without", off)
	for signal, spec := range signals {
		for _, kind := range podKinds {
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
		for _, kind := range podKinds {
			name := strings.ToLower(kind) + "-" + signal
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				with, without := with, without
				with.t, without.t = t, t
				with.eventually("pods run on "+node+" and nowhere else", func() bool {
					return allRunOn(with.pods(name), node)
				})
				without.eventually("the scheduler has decided", func() bool { return isDecided(without, kind, name) })
				for _, pod := range without.pods(name) {
					if strings.HasPrefix(text(pod, "spec", "nodeName"), "win") {
						t.Errorf("without winadmit it runs on %s too", text(pod, "spec", "nodeName"))
					}
				}
			})
		}
	}
}

// createRuntimeClass creates the RuntimeClass that the configuration lists under windowsRuntimeClasses. It has no
// scheduling, so the RuntimeClass admission plugin adds nothing.
func createRuntimeClass(t *testing.T) {
	n := namespace{t, "default", shared.API}
	n.must(n.api.Do("POST", "/apis/node.k8s.io/v1/runtimeclasses", object(
		`{"apiVersion": "node.k8s.io/v1", "kind": "RuntimeClass", "metadata": {"name": "windows"}, "handler": "runhcs-wcow-process"}`)))
}

// allRunOn reports whether there are pods, and all of them are running or have succeeded on the node.
func allRunOn(pods []Object, node string) bool {
	for _, pod := range pods {
		phase := text(pod, "status", "phase")
		if text(pod, "spec", "nodeName") != node || phase != "Running" && phase != "Succeeded" {
			return false
		}
	}
	return len(pods) > 0
}

// isDecided reports whether each pod is bound or unschedulable. A DaemonSet has one pod for each eligible node, possibly
// none.
func isDecided(n namespace, kind, name string) bool {
	pods := n.pods(name)
	if kind == "DaemonSet" {
		status := n.get(kind, name).Body["status"]
		return at(status, "observedGeneration") != nil &&
			fmt.Sprint(at(status, "desiredNumberScheduled")) == fmt.Sprint(len(pods))
	}
	for _, pod := range pods {
		if text(pod, "spec", "nodeName") == "" && conditionReason(pod, "PodScheduled") != "Unschedulable" {
			return false
		}
	}
	return len(pods) > 0
}

// conditionReason returns the reason of a condition of a pod.
func conditionReason(pod Object, kind string) string {
	for _, c := range list(pod, "status", "conditions") {
		if text(c, "type") == kind {
			return text(c, "reason")
		}
	}
	return ""
}
