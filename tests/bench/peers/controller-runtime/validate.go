package main

import (
	"context"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

type validator struct {
	decoder admission.Decoder
}

func (v *validator) Handle(_ context.Context, req admission.Request) admission.Response {
	pod := &corev1.Pod{}
	if err := v.decoder.Decode(req, pod); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if !targetsWindows(pod) {
		return admission.Allowed("")
	}
	causes := validate(pod)
	if len(causes) == 0 {
		return admission.Allowed("")
	}
	return admission.Response{AdmissionResponse: admissionv1.AdmissionResponse{
		Allowed: false,
		Result: &metav1.Status{
			Status:  metav1.StatusFailure,
			Code:    http.StatusForbidden,
			Reason:  metav1.StatusReasonForbidden,
			Message: causes[0].Message,
			Details: &metav1.StatusDetails{Causes: causes},
		},
	}}
}

// findings is a list of forbidden fields.
type findings []metav1.StatusCause

func (f *findings) forbid(when bool, field, reason string) {
	if when {
		*f = append(*f, metav1.StatusCause{
			Type:    metav1.CauseTypeForbidden,
			Field:   field,
			Message: fmt.Sprintf("%s: cannot be set for a windows pod: %s", field, reason),
		})
	}
}

func isTrue(b *bool) bool { return b != nil && *b }

func validate(pod *corev1.Pod) []metav1.StatusCause {
	var f findings
	spec := &pod.Spec
	hostProcess := allHostProcess(spec)
	f.forbid(spec.HostNetwork && !hostProcess, "spec.hostNetwork", "only HostProcess containers share the node's network")
	f.forbid(spec.HostPID, "spec.hostPID", "Windows has no host PID namespace to share")
	f.forbid(spec.HostIPC, "spec.hostIPC", "Windows has no host IPC namespace to share")
	f.forbid(spec.HostUsers != nil && !*spec.HostUsers, "spec.hostUsers", "user namespaces are a Linux feature")
	f.forbid(isTrue(spec.ShareProcessNamespace), "spec.shareProcessNamespace", "Windows has no shared process namespace")
	f.forbid(spec.Resources != nil, "spec.resources", "pod level resources are a Linux feature")
	validatePodSecurity(&f, spec.SecurityContext)
	for i := range spec.Volumes {
		validateVolume(&f, fmt.Sprintf("spec.volumes[%d]", i), &spec.Volumes[i])
	}
	for i := range spec.InitContainers {
		validateContainer(&f, fmt.Sprintf("spec.initContainers[%d]", i), &spec.InitContainers[i])
	}
	for i := range spec.Containers {
		validateContainer(&f, fmt.Sprintf("spec.containers[%d]", i), &spec.Containers[i])
	}
	for i := range spec.EphemeralContainers {
		c := corev1.Container(spec.EphemeralContainers[i].EphemeralContainerCommon)
		validateContainer(&f, fmt.Sprintf("spec.ephemeralContainers[%d]", i), &c)
	}
	return f
}

func validatePodSecurity(f *findings, sc *corev1.PodSecurityContext) {
	if sc == nil {
		return
	}
	const at = "spec.securityContext."
	f.forbid(sc.SELinuxOptions != nil, at+"seLinuxOptions", "SELinux is a Linux feature")
	f.forbid(sc.RunAsUser != nil, at+"runAsUser", "Windows has no numeric users")
	f.forbid(sc.RunAsGroup != nil, at+"runAsGroup", "Windows has no numeric groups")
	f.forbid(len(sc.SupplementalGroups) > 0, at+"supplementalGroups", "Windows has no numeric groups")
	f.forbid(sc.SupplementalGroupsPolicy != nil, at+"supplementalGroupsPolicy", "Windows has no numeric groups")
	f.forbid(sc.FSGroup != nil, at+"fsGroup", "Windows volumes have no group owner")
	f.forbid(sc.FSGroupChangePolicy != nil, at+"fsGroupChangePolicy", "Windows volumes have no group owner")
	f.forbid(len(sc.Sysctls) > 0, at+"sysctls", "sysctls are settings of the Linux kernel")
	f.forbid(sc.SELinuxChangePolicy != nil, at+"seLinuxChangePolicy", "SELinux is a Linux feature")
	f.forbid(sc.SeccompProfile != nil && sc.SeccompProfile.Type == corev1.SeccompProfileTypeLocalhost,
		at+"seccompProfile", "seccomp filters Linux system calls")
	f.forbid(sc.AppArmorProfile != nil && sc.AppArmorProfile.Type == corev1.AppArmorProfileTypeLocalhost,
		at+"appArmorProfile", "AppArmor is a Linux feature")
}

func validateContainer(f *findings, at string, c *corev1.Container) {
	validateContainerSecurity(f, at+".securityContext.", c.SecurityContext)
	for name := range c.Resources.Limits {
		f.forbid(len(name) > 10 && name[:10] == "hugepages-", at+".resources.limits", "Windows has no huge pages")
	}
	f.forbid(len(c.Resources.Claims) > 0, at+".resources.claims", "resource claims are not supported")
	f.forbid(len(c.VolumeDevices) > 0, at+".volumeDevices", "Windows has no raw block volumes")
	for i := range c.VolumeMounts {
		m := &c.VolumeMounts[i]
		p := m.MountPropagation
		f.forbid(p != nil && *p != corev1.MountPropagationNone,
			fmt.Sprintf("%s.volumeMounts[%d].mountPropagation", at, i), "Windows has no mount propagation")
		f.forbid(m.RecursiveReadOnly != nil && *m.RecursiveReadOnly == corev1.RecursiveReadOnlyEnabled,
			fmt.Sprintf("%s.volumeMounts[%d].recursiveReadOnly", at, i), "Windows has no recursive read-only mounts")
	}
	for i := range c.Ports {
		f.forbid(c.Ports[i].Protocol == corev1.ProtocolSCTP, fmt.Sprintf("%s.ports[%d].protocol", at, i), "Windows has no SCTP")
		f.forbid(c.Ports[i].HostIP != "" && c.Ports[i].HostIP != "0.0.0.0",
			fmt.Sprintf("%s.ports[%d].hostIP", at, i), "Windows binds host ports on every address")
	}
	f.forbid(c.Lifecycle != nil && c.Lifecycle.StopSignal != nil && *c.Lifecycle.StopSignal != "SIGTERM" &&
		*c.Lifecycle.StopSignal != "SIGKILL", at+".lifecycle.stopSignal", "Windows has no such signal")
}

func validateContainerSecurity(f *findings, at string, sc *corev1.SecurityContext) {
	if sc == nil {
		return
	}
	f.forbid(isTrue(sc.Privileged), at+"privileged", "Windows has no privileged containers")
	f.forbid(isTrue(sc.AllowPrivilegeEscalation), at+"allowPrivilegeEscalation", "Windows has no no_new_privs")
	f.forbid(sc.Capabilities != nil && len(sc.Capabilities.Add) > 0, at+"capabilities.add", "Windows has no capabilities")
	f.forbid(sc.ProcMount != nil && *sc.ProcMount != corev1.DefaultProcMount, at+"procMount", "Windows has no /proc")
	f.forbid(isTrue(sc.ReadOnlyRootFilesystem), at+"readOnlyRootFilesystem", "Windows needs to write to its root")
	f.forbid(sc.RunAsUser != nil, at+"runAsUser", "Windows has no numeric users")
	f.forbid(sc.RunAsGroup != nil, at+"runAsGroup", "Windows has no numeric groups")
	f.forbid(sc.SELinuxOptions != nil, at+"seLinuxOptions", "SELinux is a Linux feature")
	f.forbid(sc.SeccompProfile != nil && sc.SeccompProfile.Type == corev1.SeccompProfileTypeLocalhost,
		at+"seccompProfile", "seccomp filters Linux system calls")
	f.forbid(sc.AppArmorProfile != nil && sc.AppArmorProfile.Type == corev1.AppArmorProfileTypeLocalhost,
		at+"appArmorProfile", "AppArmor is a Linux feature")
}

func validateVolume(f *findings, at string, v *corev1.Volume) {
	f.forbid(v.EmptyDir != nil && v.EmptyDir.Medium != "", at+".emptyDir.medium", "Windows has no tmpfs or huge pages")
	f.forbid(v.NFS != nil, at+".nfs", "the NFS plugin needs a Linux node")
	f.forbid(v.ISCSI != nil, at+".iscsi", "the iSCSI plugin needs a Linux node")
	f.forbid(v.FC != nil, at+".fc", "the FC plugin needs a Linux node")
	f.forbid(v.RBD != nil, at+".rbd", "the RBD plugin needs a Linux node")
	f.forbid(v.CephFS != nil, at+".cephfs", "the CephFS plugin needs a Linux node")
	f.forbid(v.Glusterfs != nil, at+".glusterfs", "the Gluster plugin needs a Linux node")
	f.forbid(v.GitRepo != nil, at+".gitRepo", "the git plugin needs a Linux node")
	f.forbid(v.Image != nil, at+".image", "image volumes need a Linux node")
	f.forbid(v.HostPath != nil && v.HostPath.Type != nil && (*v.HostPath.Type == corev1.HostPathSocket ||
		*v.HostPath.Type == corev1.HostPathCharDev || *v.HostPath.Type == corev1.HostPathBlockDev),
		at+".hostPath.type", "Windows has no such files")
}

func allHostProcess(spec *corev1.PodSpec) bool {
	isSet := func(o *corev1.WindowsSecurityContextOptions) bool { return o != nil && isTrue(o.HostProcess) }
	whole := spec.SecurityContext != nil && isSet(spec.SecurityContext.WindowsOptions)
	for i := range spec.Containers {
		sc := spec.Containers[i].SecurityContext
		if sc != nil && sc.WindowsOptions != nil && sc.WindowsOptions.HostProcess != nil {
			if !*sc.WindowsOptions.HostProcess {
				return false
			}
		} else if !whole {
			return false
		}
	}
	return true
}
