// Pods for Linux that may run on Windows nodes: nothing selects their nodes, and no taint keeps
// them away.
#pragma once

#include "policy/judge/finding.hpp"
#include "policy/pod/pod.hpp"
#include "policy/policy.hpp"

namespace winadmit::cli {

/// Whether pods that do not select their nodes may get Windows nodes, as far as the settings say.
bool may_be_without_taints(const Settings& settings);

/// Adds the advice kAdviceLinuxUnpinned for a pod that says that it is for Linux and does not
/// select Linux nodes, or for a DaemonSet whose pods run on every node. To be called where pods may
/// get Windows nodes.
void advise_on_unpinned_linux(const Pod& pod, const Policy& policy, FindingSink& findings);

}  // namespace winadmit::cli
