#include "policy/field_tree.hpp"

#include <algorithm>
#include <array>

#include "policy/pod.hpp"

namespace winadmit {
namespace {

/// What target and advice read, beside the rules' own fields.
constexpr std::array<std::string_view, 5> kPodFieldsOfTarget = {
    "os.name", "nodeSelector", "affinity.nodeAffinity", "tolerations", "runtimeClassName"};
constexpr std::array<std::string_view, 3> kContainerFieldsOfTarget = {
    "name", "image", "securityContext.windowsOptions"};

std::span<const std::string_view> container_lists_of(Scope scope) {
  const std::span<const std::string_view> lists = kContainerLists;
  if (scope == Scope::each_main) return lists.first(kEphemeral);
  if (scope == Scope::each_ephemeral) return lists.subspan(kEphemeral);
  return lists;
}

}  // namespace

FieldTree::FieldTree(std::span<const Rule> rules, Version version) {
  nodes_.emplace_back();
  for (const std::string_view field : kPodFieldsOfTarget) insert(nullptr, kRoot, field);
  for (const std::string_view list : kContainerLists) {
    const std::uint16_t container = items_of(child(kRoot, list));
    nodes_[container].is_container = true;
    for (const std::string_view field : kContainerFieldsOfTarget) insert(nullptr, container, field);
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

/// Adds `field`, a path such as volumes[*].{secret,configMap}.defaultMode, below a node.
void FieldTree::insert(const Rule* rule, std::uint16_t from, std::string_view field) {
  if (field.empty()) {
    if (rule != nullptr) nodes_[from].rules.push_back(rule);
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
