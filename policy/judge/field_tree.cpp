#include "policy/judge/field_tree.hpp"

#include <utility>

#include "policy/pod/pod.hpp"

namespace winadmit {

FieldTree::FieldTree(std::span<const Rule> rules, Version version) {
  nodes_.emplace_back();
  for (const std::string_view list : kContainerLists) {
    Node& container = nodes_[add_items(add_member(kRoot, list))];
    container.is_container = true;
    container.is_ephemeral_container = list == kContainerLists[kEphemeralList];
  }
  for (const Rule& rule : rules) {
    if (!rule.versions.contains(version) || rule.scope == Scope::annotation) continue;
    if (includes_pod(rule.scope)) insert(rule, kRoot);
    for (const std::string_view list : container_lists_of(rule.scope)) {
      insert(rule, add_items(add_member(kRoot, list)));
    }
  }
  for (Node& node : nodes_) {
    node.is_visited = !node.rules.empty() || node.type != JsonType::any || node.items != kNoNode ||
                      !node.children.empty();
  }
}

void FieldTree::insert(const Rule& rule, NodeId scope) {
  for (const NodeId field : add_path(scope, rule.field)) {
    nodes_[field].rules.push_back(&rule);
    nodes_[field].type = nodes_[field].rules.front()->forbids.type;
    for (const Predicate& each : rule.predicates()) {
      for (const NodeId read : add_path(field, each.reads)) {
        const bool is_more = each.reads_type != JsonType::any && nodes_[read].rules.empty();
        if (is_more) nodes_[read].type = each.reads_type;
      }
    }
  }
}

/// The nodes that a pattern stands for, below `from`.
std::vector<FieldTree::NodeId> FieldTree::add_path(NodeId from, std::string_view pattern) {
  std::vector<NodeId> ends = {from};
  const auto steps = parse_field_pattern(pattern);
  for (const FieldStep& step : steps.value()) {
    std::vector<NodeId> next;
    for (const NodeId parent : ends) {
      for (const std::string_view name : step.names) {
        const NodeId member = add_member(parent, name);
        next.push_back(step.is_list ? add_items(member) : member);
      }
    }
    ends = std::move(next);
  }
  return ends;
}

FieldTree::NodeId FieldTree::add_member(NodeId parent, std::string_view key) {
  const auto at = static_cast<std::size_t>(nodes_[parent].members.add(key));
  if (at == nodes_[parent].children.size()) {
    nodes_[parent].children.push_back(static_cast<NodeId>(nodes_.size()));
    nodes_.emplace_back();
  }
  return nodes_[parent].children[at];
}

FieldTree::NodeId FieldTree::add_items(NodeId list) {
  if (nodes_[list].items == kNoNode) {
    nodes_[list].items = static_cast<NodeId>(nodes_.size());
    nodes_.emplace_back();
  }
  return nodes_[list].items;
}

}  // namespace winadmit
