// The name of the OS of a pod, in letters that Kubernetes does not know.
#pragma once

#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// Warns of each field that says Windows or WINDOWS instead of windows: such a pod is not a Windows
/// pod. `kubernetes`: spec.os is ignored before kPodOsVersion.
void advise_on_os_name(const Pod& pod, Version kubernetes, FindingSink& findings);

}  // namespace winadmit::cli
