// Which Windows nodes have taints that no placed pod tolerates.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cluster/windows_nodes.hpp"

namespace winadmit::cli {

/// The tolerations of the pods that select a Windows build, by build; "" is for those that do not.
using PlacedTolerations = std::map<std::string, std::vector<cluster::PodToleration>>;

/// One line that names such nodes; empty if there is none. A pod that selects a build runs on nodes
/// of that build alone. A node of a build that is not there is not judged. Temporary taints do
/// not count, nor do those with a key in `ignored`.
std::string describe_unreachable(const std::vector<cluster::WindowsNode>& nodes,
                                 const PlacedTolerations& placed,
                                 const std::vector<std::string>& ignored);

}  // namespace winadmit::cli
