// The Windows nodes of a cluster, and the tolerations of pods that are placed for them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cluster/client.hpp"

namespace winadmit::cluster {

struct NodeTaint {
  std::string key;
  std::string value;
  std::string effect;
};

struct WindowsNode {
  std::string name;
  std::string build;  // the label node.kubernetes.io/windows-build; empty without one
  std::vector<NodeTaint> taints;
};

struct PodToleration {
  std::string key;
  std::string op;
  std::string value;
  std::string effect;
};

/// Nothing if the API server forbids it. Throws Error.
std::optional<std::vector<WindowsNode>> read_windows_nodes(const Client& client);

/// Those that a Windows pod has in the answer to a dry run in the namespace. It selects nodes of
/// `build`, if that is not empty; else neither its selector nor its image names a build. Throws
/// Error.
std::vector<PodToleration> read_placed_tolerations(const Client& client,
                                                   const std::string& name_space,
                                                   const std::string& build);

}  // namespace winadmit::cluster
