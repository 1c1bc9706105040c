// The name of the OS of a pod, in letters that Kubernetes does not know.
#pragma once

#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit::cli {

/// Warns of each field that says Windows or WINDOWS instead of windows: such a pod is none for
/// Windows.
void advise_on_os_name(const Pod& pod, FindingSink& findings);

}  // namespace winadmit::cli
