package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// readPods returns the pods that the captured reviews hold or describe, each as it is and in the variants.
func readPods() (map[string]*corev1.Pod, error) {
	files, err := filepath.Glob(root + "/tests/data/reviews/windows/*.json")
	if err != nil || len(files) == 0 {
		return nil, fmt.Errorf("no captured reviews: %v", err)
	}
	pods := map[string]*corev1.Pod{}
	for _, file := range files {
		spec, err := readSpec(file)
		if err != nil {
			return nil, err
		}
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		for variant, change := range variants {
			pod := &corev1.Pod{
				TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
				ObjectMeta: metav1.ObjectMeta{Name: "pod", Namespace: "default"},
				Spec:       *spec.DeepCopy(),
			}
			change(&pod.Spec)
			pods[name+"."+variant+".json"] = pod
		}
	}
	return pods, nil
}

// readSpec finds the pod spec of a review: of the pod itself, of a template, or of a job template.
func readSpec(file string) (*corev1.PodSpec, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var review struct {
		Request struct {
			Object struct {
				Spec json.RawMessage `json:"spec"`
			} `json:"object"`
		} `json:"request"`
	}
	if err := json.Unmarshal(text, &review); err != nil {
		return nil, err
	}
	raw := review.Request.Object.Spec
	for {
		var holder struct {
			Containers  json.RawMessage `json:"containers"`
			Template    *struct{ Spec json.RawMessage }
			JobTemplate *struct{ Spec json.RawMessage }
		}
		if err := json.Unmarshal(raw, &holder); err != nil {
			return nil, err
		}
		switch {
		case holder.Containers != nil:
			spec := &corev1.PodSpec{}
			return spec, json.Unmarshal(raw, spec)
		case holder.Template != nil:
			raw = holder.Template.Spec
		case holder.JobTemplate != nil:
			raw = holder.JobTemplate.Spec
		default:
			return nil, fmt.Errorf("%s: holds no pod", file)
		}
	}
}

var variants = map[string]func(*corev1.PodSpec){
	"as-it-is":             func(*corev1.PodSpec) {},
	"restricted-pod":       restrictPod,
	"restricted-container": restrictContainers,
	"restricted-both": func(spec *corev1.PodSpec) {
		restrictPod(spec)
		restrictContainers(spec)
	},
	"restricted-with-os": func(spec *corev1.PodSpec) {
		spec.OS = &corev1.PodOS{Name: corev1.Windows}
		yes := true
		spec.SecurityContext = &corev1.PodSecurityContext{RunAsNonRoot: &yes}
		eachContainer(spec, func(container *corev1.Container) { container.SecurityContext = nil })
	},
}

func restrictPod(spec *corev1.PodSpec) {
	yes, no := true, false
	spec.HostNetwork, spec.HostPID, spec.HostIPC = false, false, false
	user := int64(1000)
	spec.SecurityContext = &corev1.PodSecurityContext{
		RunAsNonRoot:   &yes,
		RunAsUser:      &user,
		SeccompProfile: &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
	}
	eachContainer(spec, func(container *corev1.Container) {
		container.Ports = nil // no host ports
		container.SecurityContext = &corev1.SecurityContext{
			AllowPrivilegeEscalation: &no,
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		}
	})
	dropHostPaths(spec)
}

func restrictContainers(spec *corev1.PodSpec) {
	yes, no := true, false
	spec.HostNetwork, spec.HostPID, spec.HostIPC = false, false, false
	spec.SecurityContext = nil
	eachContainer(spec, func(container *corev1.Container) {
		container.Ports = nil
		container.SecurityContext = &corev1.SecurityContext{
			RunAsNonRoot:             &yes,
			AllowPrivilegeEscalation: &no,
			SeccompProfile:           &corev1.SeccompProfile{Type: corev1.SeccompProfileTypeRuntimeDefault},
			Capabilities:             &corev1.Capabilities{Drop: []corev1.Capability{"ALL"}},
		}
	})
	dropHostPaths(spec)
}

func eachContainer(spec *corev1.PodSpec, change func(*corev1.Container)) {
	for i := range spec.InitContainers {
		change(&spec.InitContainers[i])
	}
	for i := range spec.Containers {
		change(&spec.Containers[i])
	}
}

// dropHostPaths replaces volumes that no level of Pod Security above privileged allows.
func dropHostPaths(spec *corev1.PodSpec) {
	for i := range spec.Volumes {
		if spec.Volumes[i].HostPath != nil {
			spec.Volumes[i].VolumeSource = corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
		}
	}
}
