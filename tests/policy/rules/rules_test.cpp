// The table as data. What the compiler asserts of the table is tested here for being able to fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "policy/judge/field_tree.hpp"
#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/rule_guard.hpp"

namespace winadmit {
namespace {

constexpr Rule kSound{
    .id = "some-thing",
    .field = "securityContext.some[*].{thing,other}",
    .forbids = is_true,
    .versions = since(1, 14),
    .reason = "Windows has no such thing",
    .instead = "remove it",
    .source = "https://kubernetes.io/",
};

/// A copy of the sound row in which one member is something else.
template <typename Value>
constexpr Rule with(Value Rule::* member, Value value) {
  Rule rule = kSound;
  rule.*member = value;
  return rule;
}

constexpr Rule with_field(std::string_view field, Scope scope = Scope::pod) {
  Rule rule = with(&Rule::field, field);
  rule.scope = scope;
  return rule;
}

TEST(RuleGuard, LetsASoundRowPass) {
  EXPECT_TRUE(guard::has_kebab_case_id(kSound));
  EXPECT_TRUE(guard::has_texts(kSound));
  EXPECT_TRUE(guard::has_public_source(kSound));
  EXPECT_TRUE(guard::has_versions(kSound));
  EXPECT_TRUE(guard::has_action_of_a_rule(kSound));
  EXPECT_TRUE(guard::has_one_shape(kSound));
  EXPECT_TRUE(guard::has_legal_field(kSound));
}

TEST(RuleGuard, WantsIdsInKebabCase) {
  for (const std::string_view id : {"", "Host-pid", "host--pid", "-host", "host-", "host_pid"}) {
    EXPECT_FALSE(guard::has_kebab_case_id(with(&Rule::id, id))) << id;
  }
}

TEST(RuleGuard, WantsTextsThatFitIntoASentence) {
  for (const std::string_view text : {"", "a sentence.", " a", "a ", "two  spaces"}) {
    EXPECT_FALSE(guard::has_texts(with(&Rule::reason, text))) << text;
    EXPECT_FALSE(guard::has_texts(with(&Rule::instead, text))) << text;
  }
}

TEST(RuleGuard, WantsASourceThatReadersCanOpen) {
  for (const std::string_view source : {"", "the KEP", "https://kubernetes.io/ (somewhere)"}) {
    EXPECT_FALSE(guard::has_public_source(with(&Rule::source, source))) << source;
  }
}

TEST(RuleGuard, WantsVersionsThatExist) {
  EXPECT_FALSE(guard::has_versions(with(&Rule::versions, between({1, 20}, {1, 19}))));
  EXPECT_FALSE(guard::has_versions(with(&Rule::versions, since(1, 13))));
}

TEST(RuleGuard, WantsARowToForbid) {
  EXPECT_FALSE(guard::has_action_of_a_rule(with(&Rule::action, Action::allow)));
  EXPECT_FALSE(guard::has_action_of_a_rule(with(&Rule::action, Action::strip)));
  EXPECT_FALSE(guard::has_one_shape(with(&Rule::forbids, Predicate{})));
}

TEST(RuleGuard, WantsPredicatesOfOneType) {
  EXPECT_FALSE(guard::has_one_shape(with(&Rule::forbids_strict, nonempty_list)));
  EXPECT_FALSE(guard::has_one_shape(with(&Rule::forbids_with_spec_os, present_object)));
  EXPECT_TRUE(guard::has_one_shape(with(&Rule::forbids_with_spec_os, present_boolean)));
}

TEST(RuleGuard, WantsAPathForAField) {
  for (const std::string_view field :
       {".a", "a.", "a..b", "a[0]", "a[*", "{a", "a}", "{}", "{a,}", "{,a}", "a b", "a,b", "*"}) {
    EXPECT_FALSE(guard::has_legal_field(with_field(field))) << field;
  }
  for (const std::string_view field : {"", "a", "a[*].b", "a[*].{b,c}[*].d"}) {
    EXPECT_TRUE(guard::has_legal_field(with_field(field))) << field;
  }
}

TEST(RuleGuard, WantsAFieldThatIsNotTooDeepForAPath) {
  EXPECT_TRUE(guard::has_field_that_fits_a_path(with_field("a[*].b.c[*].{d,e}[*].f")));
  EXPECT_FALSE(guard::has_field_that_fits_a_path(with_field("a[*].b.c[*].{d,e}[*].f.g.h")));
}

TEST(RuleGuard, WantsAKeyForAnAnnotation) {
  for (const std::string_view key : {"", "noslash", "a*b/*"}) {
    EXPECT_FALSE(guard::has_legal_field(with_field(key, Scope::annotation))) << key;
  }
  for (const std::string_view key : {"a.b/c", "a.b/*", "*.a.b/c"}) {
    EXPECT_TRUE(guard::has_legal_field(with_field(key, Scope::annotation))) << key;
  }
}

TEST(RuleGuard, WantsRowsOfOneFieldToSpeakOfDifferentValues) {
  const Rule other_era = with(&Rule::versions, between({1, 14}, {1, 20}));
  const Rule later_era = with(&Rule::versions, since(1, 21));
  const Rule other_value = with(&Rule::forbids, is_false);
  EXPECT_FALSE(guard::are_disjoint(kSound, kSound));
  EXPECT_FALSE(guard::are_disjoint(kSound, other_era));
  EXPECT_TRUE(guard::are_disjoint(other_era, later_era));
  EXPECT_TRUE(guard::are_disjoint(kSound, other_value));
  EXPECT_TRUE(guard::are_disjoint(kSound, with_field("other")));

  Rule same_with_spec_os = other_value;
  same_with_spec_os.forbids_with_spec_os = is_true;
  EXPECT_FALSE(guard::are_disjoint(kSound, same_with_spec_os));
}

TEST(RuleGuard, NamesTheRowThatFails) {
  const Rule rows[] = {kSound, with(&Rule::id, std::string_view("No")), kSound};
  EXPECT_EQ(guard::first_failing(rows, guard::has_kebab_case_id), 1U);
  EXPECT_EQ(guard::first_failing(std::span(rows).first(1), guard::has_kebab_case_id), 1U);
}

TEST(Rules, AreGroupedById) {
  std::set<std::string_view> closed;
  std::string_view current;
  for (const Rule& rule : rules()) {
    // One id may stand for a pod field and a container field, but its rows stay together.
    if (rule.id == current) continue;
    EXPECT_TRUE(closed.insert(rule.id).second) << rule.id << " comes back after other rules";
    current = rule.id;
  }
}

TEST(Rules, NeverSayAgainstAFieldWhatItsOwnReasonWouldSay) {
  // The message puts the path first, so a reason that names the field would stutter.
  for (const Rule& rule : rules()) {
    if (rule.field.empty() || rule.scope == Scope::annotation) continue;
    for (const std::string& path : paths_of(rule.scope, rule.field)) {
      const std::string name = path.substr(path.rfind('.') + 1);
      if (name.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == name.npos) continue;  // a word
      EXPECT_EQ(rule.reason.find(name), rule.reason.npos) << rule.id << ": " << rule.reason;
    }
  }
}

std::size_t most_members_below(const FieldTree& tree, const FieldTree::Node& node) {
  std::size_t most = node.children.size();
  for (const std::uint16_t child : node.children) {
    most = std::max(most, most_members_below(tree, tree.at(child)));
  }
  if (node.items == FieldTree::kNothing) return most;
  return std::max(most, most_members_below(tree, tree.at(node.items)));
}

TEST(Rules, HaveNoMoreFieldsSideBySideThanAWalkTellsApart) {
  for (Version version = kOldestVersion; version <= kNewestVersion; ++version.minor) {
    const FieldTree tree(rules(), version);
    const std::size_t most = most_members_below(tree, tree.root());
    EXPECT_GT(most, 10U);
    EXPECT_LE(most, FieldTree::kMostMembers) << to_string(version);
  }
}

TEST(FieldPattern, WritesOutListsOfContainersAndBraces) {
  EXPECT_EQ(paths_of(Scope::pod, "hostPID"), std::vector<std::string>{"spec.hostPID"});
  EXPECT_EQ(paths_of(Scope::each_main, "a.{b,c}[*].d"),
            (std::vector<std::string>{"spec.containers[*].a.b[*].d", "spec.containers[*].a.c[*].d",
                                      "spec.initContainers[*].a.b[*].d",
                                      "spec.initContainers[*].a.c[*].d"}));
  EXPECT_EQ(paths_of(Scope::each_ephemeral, ""),
            std::vector<std::string>{"spec.ephemeralContainers[*]"});
  EXPECT_EQ(paths_of(Scope::pod, "{a,b}.{c,d}").size(), 4U);
  EXPECT_EQ(paths_of(Scope::annotation, "a.b/{c}"),
            std::vector<std::string>{"metadata.annotations[a.b/{c}]"});
}

TEST(FieldPattern, KnowsAFieldFromItsMembers) {
  EXPECT_TRUE(is_same_path("spec.a", "spec.a"));
  EXPECT_TRUE(is_same_path("spec.a[*]", "spec.a"));
  EXPECT_FALSE(is_same_path("spec.ab", "spec.a"));
  EXPECT_FALSE(is_same_path("spec.a.b", "spec.a"));

  EXPECT_TRUE(is_below("spec.a.b", "spec.a"));
  EXPECT_TRUE(is_below("spec.a[*].b.c", "spec.a"));
  EXPECT_FALSE(is_below("spec.a", "spec.a"));
  EXPECT_FALSE(is_below("spec.a[*]", "spec.a"));
  EXPECT_FALSE(is_below("spec.ab.c", "spec.a"));
}

}  // namespace
}  // namespace winadmit
