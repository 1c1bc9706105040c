// Platforms that a pod may have been written for, although they are not configured.
#pragma once

#include <string>

#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit::cli {

/// "aks or gke": the platforms whose labels of Windows nodes the node selector asks for, and the
/// settings do not have. Empty if there is none.
std::string platforms_selected_by(const Pod& pod, const Settings& settings);

/// The same for the platforms whose taints the pod tolerates by name.
std::string platforms_tolerated_by(const Pod& pod);

}  // namespace winadmit::cli
