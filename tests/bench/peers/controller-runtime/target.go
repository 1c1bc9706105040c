package main

import corev1 "k8s.io/api/core/v1"

// targetsWindows reports whether the pod requires a Windows node.
func targetsWindows(pod *corev1.Pod) bool {
	spec := &pod.Spec
	if spec.OS != nil {
		return spec.OS.Name == corev1.Windows
	}
	if os, ok := spec.NodeSelector[corev1.LabelOSStable]; ok {
		return os == "windows"
	}
	if os, ok := spec.NodeSelector["beta.kubernetes.io/os"]; ok {
		return os == "windows"
	}
	if affinityIsWindows(spec.Affinity) {
		return true
	}
	if spec.SecurityContext != nil && spec.SecurityContext.WindowsOptions != nil {
		return true
	}
	for i := range spec.Containers {
		if c := spec.Containers[i].SecurityContext; c != nil && c.WindowsOptions != nil {
			return true
		}
	}
	return false
}

func affinityIsWindows(affinity *corev1.Affinity) bool {
	if affinity == nil || affinity.NodeAffinity == nil ||
		affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return false
	}
	terms := affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	for _, term := range terms {
		if !termIsWindows(term) {
			return false
		}
	}
	return len(terms) > 0
}

func termIsWindows(term corev1.NodeSelectorTerm) bool {
	for _, e := range term.MatchExpressions {
		if e.Key == corev1.LabelOSStable && e.Operator == corev1.NodeSelectorOpIn &&
			len(e.Values) == 1 && e.Values[0] == "windows" {
			return true
		}
	}
	return false
}
