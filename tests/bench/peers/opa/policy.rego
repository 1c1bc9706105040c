# The rules of winadmit with action deny, for the admission endpoint of OPA (POST /).
package system

import rego.v1

main := {
	"apiVersion": "admission.k8s.io/v1",
	"kind": "AdmissionReview",
	"response": response,
}

response := {"uid": input.request.uid, "allowed": true} if count(denials) == 0

response := {
	"uid": input.request.uid,
	"allowed": false,
	"status": {"code": 403, "reason": "Forbidden", "message": concat("; ", denials)},
} if count(denials) > 0

spec := input.request.object.spec

pod_security := object.get(spec, "securityContext", {})

windows if spec.os.name == "windows"

windows if spec.nodeSelector["kubernetes.io/os"] == "windows"

windows if spec.nodeSelector["beta.kubernetes.io/os"] == "windows"

windows if pod_security.windowsOptions

windows if spec.containers[_].securityContext.windowsOptions

containers contains {"at": sprintf("spec.%s[%d]", [list, i]), "spec": c} if {
	windows
	some list in ["containers", "initContainers", "ephemeralContainers"]
	some i, c in spec[list]
}

refused(field, reason) := sprintf("%s: cannot be set for a windows pod: %s", [field, reason])

# Forbidden values of pod fields: [field, value, reason].
pod_values := [
	["hostNetwork", true, "only HostProcess containers share the node's network"],
	["hostPID", true, "Windows has no host PID namespace to share"],
	["hostIPC", true, "Windows has no host IPC namespace to share"],
	["hostUsers", false, "user namespaces are a Linux feature"],
	["shareProcessNamespace", true, "Windows has no shared process namespace"],
]

denials contains refused(sprintf("spec.%s", [field]), reason) if {
	windows
	some [field, value, reason] in pod_values
	spec[field] == value
	not host_process_exempts(field)
}

denials contains refused("spec.resources", "pod level resources are a Linux feature") if {
	windows
	spec.resources
}

host_process_exempts("hostNetwork") if {
	every c in spec.containers {
		object.get(c, ["securityContext", "windowsOptions", "hostProcess"], object.get(pod_security, ["windowsOptions", "hostProcess"], false)) == true
	}
}

# Fields of a security context that must not be present.
pod_security_fields := {
	"seLinuxOptions", "runAsUser", "runAsGroup", "supplementalGroupsPolicy", "fsGroup", "fsGroupChangePolicy",
	"seLinuxChangePolicy",
}

denials contains refused(sprintf("spec.securityContext.%s", [field]), "it is a Linux feature") if {
	windows
	some field in pod_security_fields
	_ := pod_security[field]
}

denials contains refused(sprintf("spec.securityContext.%s", [field]), "it is a Linux feature") if {
	windows
	some field in {"sysctls", "supplementalGroups"}
	count(pod_security[field]) > 0
}

denials contains refused(sprintf("spec.securityContext.%s", [field]), "it is a Linux feature") if {
	windows
	some field in {"seccompProfile", "appArmorProfile"}
	pod_security[field].type == "Localhost"
}

container_flags := {"privileged", "allowPrivilegeEscalation", "readOnlyRootFilesystem"}

denials contains refused(sprintf("%s.securityContext.%s", [c.at, field]), "Windows has no such flag") if {
	some c in containers
	some field in container_flags
	c.spec.securityContext[field] == true
}

container_fields := {"runAsUser", "runAsGroup", "seLinuxOptions"}

denials contains refused(sprintf("%s.securityContext.%s", [c.at, field]), "it is a Linux feature") if {
	some c in containers
	some field in container_fields
	_ := c.spec.securityContext[field]
}

denials contains refused(sprintf("%s.securityContext.%s", [c.at, field]), "it is a Linux feature") if {
	some c in containers
	some field in {"seccompProfile", "appArmorProfile"}
	c.spec.securityContext[field].type == "Localhost"
}

denials contains refused(sprintf("%s.securityContext.capabilities.add", [c.at]), "Windows has no capabilities") if {
	some c in containers
	count(c.spec.securityContext.capabilities.add) > 0
}

denials contains refused(sprintf("%s.securityContext.procMount", [c.at]), "Windows has no /proc") if {
	some c in containers
	c.spec.securityContext.procMount != "Default"
}

denials contains refused(sprintf("%s.resources.limits", [c.at]), "Windows has no huge pages") if {
	some c in containers
	some name, _ in c.spec.resources.limits
	startswith(name, "hugepages-")
}

denials contains refused(sprintf("%s.resources.claims", [c.at]), "resource claims are not supported") if {
	some c in containers
	count(c.spec.resources.claims) > 0
}

denials contains refused(sprintf("%s.volumeDevices", [c.at]), "Windows has no raw block volumes") if {
	some c in containers
	count(c.spec.volumeDevices) > 0
}

denials contains refused(sprintf("%s.volumeMounts[%d].mountPropagation", [c.at, i]), "Windows has no mount propagation") if {
	some c in containers
	some i, mount in c.spec.volumeMounts
	mount.mountPropagation != "None"
}

denials contains refused(sprintf("%s.volumeMounts[%d].recursiveReadOnly", [c.at, i]), "Windows has no recursive read-only mounts") if {
	some c in containers
	some i, mount in c.spec.volumeMounts
	mount.recursiveReadOnly == "Enabled"
}

denials contains refused(sprintf("%s.ports[%d].protocol", [c.at, i]), "Windows has no SCTP") if {
	some c in containers
	some i, port in c.spec.ports
	port.protocol == "SCTP"
}

denials contains refused(sprintf("%s.ports[%d].hostIP", [c.at, i]), "Windows binds host ports on every address") if {
	some c in containers
	some i, port in c.spec.ports
	not port.hostIP in {"", "0.0.0.0"}
}

denials contains refused(sprintf("%s.lifecycle.stopSignal", [c.at]), "Windows has no such signal") if {
	some c in containers
	not c.spec.lifecycle.stopSignal in {"SIGTERM", "SIGKILL"}
}

volume_kinds := {"nfs", "iscsi", "fc", "rbd", "cephfs", "glusterfs", "gitRepo", "image"}

denials contains refused(sprintf("spec.volumes[%d].%s", [i, kind]), "it needs a Linux node") if {
	windows
	some i, volume in spec.volumes
	some kind in volume_kinds
	_ := volume[kind]
}

denials contains refused(sprintf("spec.volumes[%d].emptyDir.medium", [i]), "Windows has no tmpfs or huge pages") if {
	windows
	some i, volume in spec.volumes
	volume.emptyDir.medium != ""
}

denials contains refused(sprintf("spec.volumes[%d].hostPath.type", [i]), "Windows has no such files") if {
	windows
	some i, volume in spec.volumes
	volume.hostPath.type in {"Socket", "CharDevice", "BlockDevice"}
}
