#include "manifests/list_entries.hpp"

#include <optional>

#include "manifests/to_json.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::manifests {

NodeId ListEntries::find_child(NodeId node, const std::string& token, NodeId* key) {
  if (document_[node].kind != Node::Kind::sequence) {
    return manifests::find_child(document_, node, token, key);
  }
  const auto [known, is_new] = lists_.try_emplace(node);
  std::vector<NodeId>& entries = known->second;
  for (NodeId each = is_new ? document_[node].first : kNoNode; each != kNoNode;
       each = document_[each].next)
    entries.push_back(each);
  const std::optional<std::size_t> index = parse_pointer_index(token);
  return index && *index < entries.size() ? entries[*index] : kNoNode;
}

}  // namespace winadmit::manifests
