// What a required node affinity says of the operating system.
#pragma once

#include <string_view>
#include <vector>

#include "policy/json/json.hpp"
#include "policy/pod/os.hpp"

namespace winadmit {

struct NodeAffinity {
  Os os = Os::none;  // linux or windows only if every term that can match implies it
  std::vector<std::string_view> builds;
};

/// Reads requiredDuringSchedulingIgnoredDuringExecution of the affinity at `path`: terms are ORed,
/// the requirements of a term are ANDed, a term that is empty or contradicts itself matches no node
/// (k8s.io/api core/v1, NodeSelectorTerm).
NodeAffinity read_node_affinity(JsonObject affinity, FieldPath& path, FieldErrors& errors);

}  // namespace winadmit
