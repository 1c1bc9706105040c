// The name of the OS of a pod, nearly as Kubernetes knows it.
#pragma once

#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// Warns of each field that says Windows, win or windws instead of windows, and of each label that
/// is nearly that of the OS: such a pod is not a Windows pod. `kubernetes`: spec.os is ignored
/// before kPodOsVersion.
void advise_on_os_name(const Pod& pod, Version kubernetes, FindingSink& findings);

}  // namespace winadmit::cli
