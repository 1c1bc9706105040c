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

}  // namespace winadmit::sources
