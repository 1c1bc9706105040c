#include "policy/judge/field_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace winadmit {
namespace {

Rule row(Scope scope, std::string_view field, Predicate forbids, VersionRange versions = {}) {
  Rule rule{};
  rule.scope = scope;
  rule.field = field;
  rule.forbids = forbids;
  rule.versions = versions;
  return rule;
}

const FieldTree::Node& member(const FieldTree& tree, const FieldTree::Node& parent,
                              std::string_view name) {
  const int at = parent.members.find(name);
  if (at == NameTable::kNotFound) throw std::out_of_range(std::string(name));
  return tree.node(parent.children[static_cast<std::size_t>(at)]);
}

const FieldTree::Node& items(const FieldTree& tree, const FieldTree::Node& list) {
  return tree.node(list.items);
}

TEST(FieldTree, HasANodeForEachFieldOfAPattern) {
  const Rule rules[] = {row(Scope::pod, "volumes[*].{secret,configMap}.mode", present_integer)};
  const FieldTree tree(rules, kNewestVersion);
  const FieldTree::Node& volume = items(tree, member(tree, tree.root(), "volumes"));
  EXPECT_FALSE(volume.is_container);
  for (const std::string_view source : {"secret", "configMap"}) {
    const FieldTree::Node& mode = member(tree, member(tree, volume, source), "mode");
    EXPECT_EQ(mode.rules, std::vector<const Rule*>{&rules[0]});
    EXPECT_TRUE(mode.is_visited);
  }
}

TEST(FieldTree, HasContainerFieldsInTheListsOfTheScope) {
  const Rule rules[] = {row(Scope::each_non_ephemeral, "a", is_true),
                        row(Scope::each_ephemeral, "b", is_true),
                        row(Scope::each_container, "", present_object)};
  const FieldTree tree(rules, kNewestVersion);
  const auto names = [&](std::string_view list) {
    const FieldTree::Node& container = items(tree, member(tree, tree.root(), list));
    EXPECT_TRUE(container.is_container);
    EXPECT_EQ(container.rules, std::vector<const Rule*>{&rules[2]});
    return container.members.names();
  };
  EXPECT_EQ(names("containers"), std::vector<std::string_view>{"a"});
  EXPECT_EQ(names("initContainers"), std::vector<std::string_view>{"a"});
  EXPECT_EQ(names("ephemeralContainers"), std::vector<std::string_view>{"b"});
}

TEST(FieldTree, HasAFieldOfThePodAndItsContainersInBoth) {
  const Rule rules[] = {row(Scope::pod_and_containers, "a", is_true)};
  const FieldTree tree(rules, kNewestVersion);
  const std::vector<const Rule*> both = {&rules[0]};
  EXPECT_EQ(member(tree, tree.root(), "a").rules, both);
  const FieldTree::Node& container = items(tree, member(tree, tree.root(), "containers"));
  EXPECT_EQ(member(tree, container, "a").rules, both);
}

TEST(FieldTree, LeavesOutOtherVersionsAndAnnotations) {
  const Rule rules[] = {row(Scope::pod, "a", is_true, since(1, 30)),
                        row(Scope::pod, "b", is_true, between({1, 14}, {1, 29})),
                        row(Scope::annotation, "example.com/c", nonempty_string)};
  EXPECT_TRUE(FieldTree(rules, {1, 30}).root().members.contains("a"));
  EXPECT_FALSE(FieldTree(rules, {1, 30}).root().members.contains("b"));
  EXPECT_TRUE(FieldTree(rules, {1, 29}).root().members.contains("b"));
  EXPECT_FALSE(FieldTree(rules, {1, 29}).root().members.contains("example.com/c"));
}

TEST(FieldTree, VisitsMembersThatOnlyAPredicateReadsForTheirType) {
  Predicate without_type = has_requests_or_limits;
  without_type.reads_type = JsonType::any;
  const Rule rules[] = {row(Scope::pod, "resources", without_type)};
  const FieldTree tree(rules, kNewestVersion);
  const FieldTree::Node& resources = member(tree, tree.root(), "resources");
  EXPECT_TRUE(resources.is_visited);
  EXPECT_FALSE(member(tree, resources, "requests").is_visited);
  EXPECT_FALSE(member(tree, resources, "limits").is_visited);

  const Rule typed_rules[] = {row(Scope::pod, "resources", has_requests_or_limits)};
  const FieldTree typed_tree(typed_rules, kNewestVersion);
  const FieldTree::Node& typed = member(typed_tree, typed_tree.root(), "resources");
  EXPECT_TRUE(member(typed_tree, typed, "limits").is_visited);
}

std::size_t most_members_below(const FieldTree& tree, const FieldTree::Node& node) {
  std::size_t most = node.children.size();
  for (const FieldTree::NodeId child : node.children) {
    most = std::max(most, most_members_below(tree, tree.node(child)));
  }
  if (node.items == FieldTree::kNoNode) return most;
  return std::max(most, most_members_below(tree, tree.node(node.items)));
}

TEST(FieldTree, HasNoNodeWithTooManyMembersToNoticeDuplicates) {
  for (Version version = kOldestVersion; version <= kNewestVersion; ++version.minor) {
    const FieldTree tree(rules(), version);
    const std::size_t most = most_members_below(tree, tree.root());
    EXPECT_GT(most, 10U);
    EXPECT_LE(most, FieldTree::kMaxMembers) << to_string(version);
  }
}

}  // namespace
}  // namespace winadmit
