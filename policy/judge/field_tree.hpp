// The fields of the rule table as a tree. A pod is walked once however many rules there are, and a
// member that no rule names costs one look-up.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "policy/json/name_table.hpp"
#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/version.hpp"

namespace winadmit {

class FieldTree {
 public:
  using NodeId = std::uint16_t;
  static constexpr NodeId kNoNode = 0xFFFF;

  struct Node {
    NameTable members;               // the members that have a node
    std::vector<NodeId> children;    // the node of each of `members`
    NodeId items = kNoNode;          // the node of every entry, if this is a list
    std::vector<const Rule*> rules;  // that judge the value
    JsonType type = JsonType::any;   // that these rules expect, or one above that reads the value
    bool is_container = false;
    bool is_ephemeral_container = false;

    /// Has rules here or below, or a type. Another member is in the tree because the predicate of a
    /// rule above reads it; only a second key of the same name matters there.
    bool is_visited = false;
  };

  /// The most members of a node for which a walk can notice duplicate keys. A test checks that the
  /// table has no node with more.
  static constexpr std::size_t kMaxMembers = 64;

  /// A tree of the rules that hold in `version`, apart from those of annotations, and of the
  /// members that their predicates read. `rules` must outlive the tree.
  FieldTree(std::span<const Rule> rules, Version version);

  const Node& root() const { return nodes_[kRoot]; }  // the pod spec
  const Node& node(NodeId id) const { return nodes_[id]; }

 private:
  static constexpr NodeId kRoot = 0;

  void insert(const Rule& rule, NodeId scope);
  std::vector<NodeId> add_path(NodeId from, std::string_view pattern);
  NodeId add_member(NodeId parent, std::string_view key);
  NodeId add_items(NodeId list);

  std::vector<Node> nodes_;
};

}  // namespace winadmit
