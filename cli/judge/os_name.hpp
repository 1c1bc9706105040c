// The name of the OS of a pod in another letter case than Kubernetes knows it.
#pragma once

#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// Warns of a spec.os.name that the API server refuses, and of Windows instead of windows and
/// kubernetes.io/OS instead of kubernetes.io/os in node selectors and required node affinity: such
/// a pod is not a Windows pod. `kubernetes`: spec.os is ignored before kPodOsVersion.
void advise_on_os_name(const Pod& pod, Version kubernetes, FindingSink& findings);

}  // namespace winadmit::cli
