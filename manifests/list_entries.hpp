// Finds many entries of the same lists.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Keeps the entries of each list that it has been in: walking to an entry takes time in proportion
/// to its index.
class ListEntries {
 public:
  /// `document` must outlive this.
  explicit ListEntries(const Document& document) : document_(document) {}

  /// As find_child().
  NodeId find_child(NodeId node, const std::string& token, NodeId* key);

 private:
  const Document& document_;
  std::unordered_map<NodeId, std::vector<NodeId>> lists_;
};

}  // namespace winadmit::manifests
