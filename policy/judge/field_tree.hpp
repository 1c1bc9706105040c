// The rule table turned into a tree of fields, so that a pod is walked once whatever the number of
// rules: a member that no rule names costs one look-up, and the rules below it cost nothing.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "policy/json/name_table.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/version.hpp"

namespace winadmit {

class FieldTree {
 public:
  struct Node {
    NameTable members;                    // that lead to rules; empty where none does
    std::vector<std::uint16_t> children;  // as `members`: the node of each
    std::uint16_t items = kNothing;       // the node of every entry, where this is a list
    std::vector<const Rule*> rules;       // that judge the value here
    bool is_container = false;
    bool ends_here = false;  // no rules here, nothing below: a predicate above reads it
  };
  static constexpr std::uint16_t kNothing = 0xFFFF;
  static constexpr std::uint16_t kRoot = 0;  // the pod spec

  /// Members of one node that a walk tells apart, to notice a key that appears twice. No node of
  /// the table has more; one that had would see second keys where there are none.
  static constexpr std::size_t kMostMembers = 64;

  /// A tree of the rules of every scope but annotation that hold in `version`, and of the members
  /// that their predicates read. The rows must outlive the tree.
  FieldTree(std::span<const Rule> rules, Version version);

  const Node& root() const { return nodes_[kRoot]; }
  const Node& at(std::uint16_t node) const { return nodes_[node]; }

 private:
  void insert(const Rule* rule, std::uint16_t from, std::string_view field);
  std::uint16_t child(std::uint16_t parent, std::string_view key);
  std::uint16_t items_of(std::uint16_t list);

  std::vector<Node> nodes_;
};

}  // namespace winadmit
