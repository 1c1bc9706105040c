// Annotations of pods that the policy reads by name.
#pragma once

#include <string_view>

namespace winadmit {

/// "true": HostProcess containers run as the user of the container runtime
/// (github.com/Microsoft/hcsshim pkg/annotations, HostProcessInheritUser).
inline constexpr std::string_view kInheritUserAnnotation = "microsoft.com/hostprocess-inherit-user";

/// On a mirror pod, which the kubelet creates for a static pod.
inline constexpr std::string_view kMirrorAnnotation = "kubernetes.io/config.mirror";

}  // namespace winadmit
