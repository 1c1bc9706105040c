// The operating system that a required node affinity asks for.
#pragma once

#include <string_view>
#include <vector>

#include "policy/json/json.hpp"
#include "policy/pod/os.hpp"
#include "policy/pod/windows_labels.hpp"

namespace winadmit {

struct NodeAffinity {
  Os os = Os::none;  // linux or windows if every term that can match requires it
  // Of the terms that a Windows node can match: for a pod that another signal sends to Windows, the
  // other terms match nothing.
  bool excludes_amd64 = false;           // each requires another architecture
  std::vector<std::string_view> builds;  // empty unless each names builds
};

/// Reads requiredDuringSchedulingIgnoredDuringExecution of the affinity at `path`. Terms are ORed,
/// the requirements of a term are ANDed, and a term that is empty or contradicts itself matches no
/// node (k8s.io/api core/v1, NodeSelectorTerm). Borrows from the document and from `labels`.
NodeAffinity read_node_affinity(JsonObject affinity, const WindowsLabels& labels, FieldPath& path,
                                FieldErrors& errors);

}  // namespace winadmit
