// Hints that a pod is for Windows which the webhooks do not see: their matchConditions select the
// hints of the configuration alone.
#pragma once

#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit::cli {

/// As the advice kAdviceHint, for the labels and taints of every platform and for images whose tag
/// or name says Windows. It only warns. To be called for a pod without that advice.
void advise_on_os_hint(const Pod& pod, const Target& target, const Settings& settings,
                       FindingSink& findings);

}  // namespace winadmit::cli
