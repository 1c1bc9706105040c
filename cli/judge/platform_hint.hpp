// Platforms that a pod may have been written for, although they are not configured.
#pragma once

#include <string>
#include <vector>

#include "policy/pod/pod.hpp"

namespace winadmit::cli {

/// "aks or gke": the platforms whose labels of Windows nodes the node selector asks for. Empty if
/// there is none.
std::string platforms_selected_by(const Pod& pod);

/// The same for the platforms whose taints the pod tolerates by name.
std::string platforms_tolerated_by(const Pod& pod);

}  // namespace winadmit::cli
