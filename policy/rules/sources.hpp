// Public documents that are the source of more than one row. A row with another source has its URL.
#pragma once

#include <string_view>

namespace winadmit::sources {

// KEP-116 "Windows node support", by section.
inline constexpr std::string_view kKepNeverWorks =
    "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
    "116-windows-node-support#what-will-never-work";
inline constexpr std::string_view kKepContainer =
    "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
    "116-windows-node-support#v1container";
inline constexpr std::string_view kKepPod =
    "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
    "116-windows-node-support#v1pod";
inline constexpr std::string_view kKepPodSecurity =
    "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
    "116-windows-node-support#v1podsecuritycontext";
inline constexpr std::string_view kKepPlacement =
    "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
    "116-windows-node-support"
    "#ensuring-os-specific-workloads-land-on-appropriate-container-host";
inline constexpr std::string_view kKepApi =
    "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
    "116-windows-node-support#api-reference";

// The Kubernetes documentation.
inline constexpr std::string_view kDocsApi =
    "https://kubernetes.io/docs/concepts/windows/intro/#api";
inline constexpr std::string_view kDocsPod =
    "https://kubernetes.io/docs/concepts/windows/intro/#compatibility-v1-pod";
inline constexpr std::string_view kDocsContainer =
    "https://kubernetes.io/docs/concepts/windows/intro/#compatibility-v1-pod-spec-containers";
inline constexpr std::string_view kDocsPodSecurity =
    "https://kubernetes.io/docs/concepts/windows/intro/"
    "#compatibility-v1-pod-spec-containers-securitycontext";
inline constexpr std::string_view kDocsStorage =
    "https://kubernetes.io/docs/concepts/storage/windows-storage/";
inline constexpr std::string_view kDocsHostProcess =
    "https://kubernetes.io/docs/tasks/configure-pod-container/create-hostprocess-pod/";

inline constexpr std::string_view kDocsGmsa =
    "https://kubernetes.io/docs/tasks/configure-pod-container/configure-gmsa/";

inline constexpr std::string_view kDocsSupplementalGroupsPolicy =
    "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/"
    "#supplementalgroupspolicy";
inline constexpr std::string_view kDocsRunAsUserName =
    "https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/";
inline constexpr std::string_view kDocsRecursiveReadOnly =
    "https://kubernetes.io/docs/concepts/storage/volumes/#recursive-read-only-mounts";
inline constexpr std::string_view kDocsDebuggingProfiles =
    "https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/"
    "#debugging-profiles";
inline constexpr std::string_view kDocsInTreeVolumes =
    "https://kubernetes.io/docs/concepts/storage/windows-storage/#in-tree-volume-plugins";
inline constexpr std::string_view kDnsOnWindows =
    "https://kubernetes.io/docs/concepts/services-networking/dns-pod-service/#dns-windows";
inline constexpr std::string_view kProjectedOnWindows =
    "https://kubernetes.io/docs/concepts/storage/projected-volumes/#windows";
inline constexpr std::string_view kPodSecurityByOs =
    "https://kubernetes.io/docs/concepts/security/pod-security-standards/"
    "#os-specific-policy-controls";

// Where the runtime leaves out for HostProcess containers what it does for others.
inline constexpr std::string_view kHcsshimTasks =
    "https://github.com/microsoft/hcsshim/blob/v0.13.0/cmd/containerd-shim-runhcs-v1/task_hcs.go";

// validateWindows: the validation by the API server if spec.os.name is windows.
inline constexpr std::string_view kValidateWindows =
    "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/apis/core/validation/validation.go";

// What the API server and the kubelet do.
inline constexpr std::string_view kPodStrategy =
    "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/registry/core/pod/strategy.go";
inline constexpr std::string_view kPodStrategyTo126 =
    "https://github.com/kubernetes/kubernetes/blob/v1.26.15/pkg/registry/core/pod/strategy.go";
inline constexpr std::string_view kWindowsSecurityContext =
    "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/kuberuntime/"
    "security_context_windows.go";
inline constexpr std::string_view kWindowsSecurityContextTo120 =
    "https://github.com/kubernetes/kubernetes/blob/v1.20.15/pkg/kubelet/kuberuntime/"
    "security_context_windows.go";
inline constexpr std::string_view kContainerManager =
    "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/cm/"
    "container_manager_windows.go";
inline constexpr std::string_view kKubeletDns =
    "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/network/dns/dns.go";
inline constexpr std::string_view kIscsiUtil =
    "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/volume/iscsi/iscsi_util.go";

// Changes and faults of Kubernetes.
inline constexpr std::string_view kGmsaFields =
    "https://github.com/kubernetes/kubernetes/pull/75459";
inline constexpr std::string_view kAppArmorOnLinuxOnly =
    "https://github.com/kubernetes/kubernetes/pull/93220";
inline constexpr std::string_view kSysctlFields =
    "https://github.com/kubernetes/kubernetes/pull/63717";
inline constexpr std::string_view kHyperVContainers =
    "https://github.com/kubernetes/kubernetes/pull/58751";
inline constexpr std::string_view kImageWithoutUser =
    "https://github.com/kubernetes/kubernetes/issues/112469";
inline constexpr std::string_view kRunAsNonRootOnWindows =
    "https://github.com/kubernetes/kubernetes/pull/92355";
inline constexpr std::string_view kDockerTerminationMessage =
    "https://github.com/kubernetes/kubernetes/issues/68791";
inline constexpr std::string_view kDockerHostsFile =
    "https://github.com/kubernetes/kubernetes/issues/70189";

// What containerd does with mounts.
inline constexpr std::string_view kContainerdMounts =
    "https://github.com/containerd/containerd/blob/v2.2.0/internal/cri/opts/spec_windows_opts.go";
inline constexpr std::string_view kContainerdMountTests =
    "https://github.com/containerd/containerd/blob/v2.2.0/internal/cri/opts/spec_windows_test.go";

}  // namespace winadmit::sources
