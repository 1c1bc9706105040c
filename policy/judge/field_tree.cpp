#include "policy/judge/field_tree.hpp"

#include <algorithm>
#include <array>

#include "policy/pod/pod.hpp"

namespace winadmit {
namespace {

std::span<const std::string_view> container_lists_of(Scope scope) {
  const std::span<const std::string_view> lists = kContainerLists;
  if (scope == Scope::each_main) return lists.first(kEphemeral);
  if (scope == Scope::each_ephemeral) return lists.subspan(kEphemeral);
  return lists;
}

}  // namespace

FieldTree::FieldTree(std::span<const Rule> rules, Version version) {
  nodes_.emplace_back();
  for (const std::string_view list : kContainerLists) {
    nodes_[items_of(child(kRoot, list))].is_container = true;
  }
  for (const Rule& rule : rules) {
    if (!rule.versions.contains(version) || rule.scope == Scope::annotation) continue;
    if (rule.scope == Scope::pod) {
      insert(&rule, kRoot, rule.field);
      continue;
    }
    for (const std::string_view list : container_lists_of(rule.scope)) {
      insert(&rule, items_of(child(kRoot, list)), rule.field);
    }
  }
  for (Node& node : nodes_) {
    node.ends_here = node.rules.empty() && node.items == kNothing && node.children.empty();
  }
}

/// Adds `field`, a path such as volumes[*].{secret,configMap}.defaultMode, below a node. Without a
/// rule: what a predicate of the node reads.
void FieldTree::insert(const Rule* rule, std::uint16_t from, std::string_view field) {
  if (field.empty()) {
    if (rule == nullptr) return;
    nodes_[from].rules.push_back(rule);
    for (const Predicate& each :
         {rule->forbids, rule->forbids_with_spec_os, rule->forbids_strict}) {
      insert(nullptr, from, each.reads);
    }
    return;
  }
  const std::size_t dot = field.front() == '{' ? field.find('}') + 1 : field.find('.');
  std::string_view step = field.substr(0, std::min(dot, field.size()));
  const std::string_view rest = dot < field.size() ? field.substr(dot + 1) : std::string_view{};

  if (step.front() == '{') {
    step = step.substr(1, step.size() - 2);
    while (!step.empty()) {
      const std::size_t comma = std::min(step.find(','), step.size());
      insert(rule, child(from, step.substr(0, comma)), rest);
      step.remove_prefix(std::min(comma + 1, step.size()));
    }
    return;
  }
  static constexpr std::string_view kItems = "[*]";
  if (step.ends_with(kItems)) {
    insert(rule, items_of(child(from, step.substr(0, step.size() - kItems.size()))), rest);
  } else {
    insert(rule, child(from, step), rest);
  }
}

std::uint16_t FieldTree::child(std::uint16_t parent, std::string_view key) {
  const auto at = static_cast<std::size_t>(nodes_[parent].members.add(key));
  if (at == nodes_[parent].children.size()) {
    nodes_[parent].children.push_back(static_cast<std::uint16_t>(nodes_.size()));
    nodes_.emplace_back();
  }
  return nodes_[parent].children[at];
}

std::uint16_t FieldTree::items_of(std::uint16_t list) {
  if (nodes_[list].items == kNothing) {
    const auto made = static_cast<std::uint16_t>(nodes_.size());
    nodes_.emplace_back();
    nodes_[list].items = made;
  }
  return nodes_[list].items;
}

}  // namespace winadmit
