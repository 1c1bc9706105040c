// Platforms that a pod may have been written for, although they are not configured.
#pragma once

#include <string>

#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit::cli {

/// "aks or gke": the platforms whose labels of Windows nodes the node selector asks for, and the
/// settings do not have. Empty if there is none.
std::string platforms_selected_by(const Pod& pod, const Settings& settings);

/// The same for the platforms whose taints the pod tolerates by name.
std::string platforms_tolerated_by(const Pod& pod);

/// As the advice kAdviceHint, for hints that the webhooks do not see, as their matchConditions
/// select those of the configuration alone: for the labels and taints of every platform and for
/// images whose tag or name says Windows. It only warns. To be called for a pod without that
/// advice.
void advise_on_os_hint(const Pod& pod, const Target& target, const Settings& settings,
                       FindingSink& findings);

}  // namespace winadmit::cli
