// What the compiler asserts for the rule table can fail.
#include "policy/rules/rule_guard.hpp"

#include <gtest/gtest.h>

#include <span>

namespace winadmit {
namespace {

constexpr Rule kValid{
    .id = "some-thing",
    .field = "securityContext.some[*].{thing,other}",
    .forbids = is_true,
    .versions = since(1, 14),
    .reason = "Windows has no such thing",
    .instead = "remove it",
    .source = "https://kubernetes.io/",
};

/// A copy of the valid row with one other member.
template <typename Value>
constexpr Rule with(Value Rule::* member, Value value) {
  Rule rule = kValid;
  rule.*member = value;
  return rule;
}

constexpr Rule with_field(std::string_view field, Scope scope = Scope::pod) {
  Rule rule = with(&Rule::field, field);
  rule.scope = scope;
  return rule;
}

TEST(RuleGuard, AcceptsAValidRow) {
  EXPECT_TRUE(guard::has_kebab_case_id(kValid));
  EXPECT_TRUE(guard::has_reason_and_instead_without_full_stop(kValid));
  EXPECT_TRUE(guard::has_public_source(kValid));
  EXPECT_TRUE(guard::has_versions_that_exist(kValid));
  EXPECT_TRUE(guard::denies_or_warns(kValid));
  EXPECT_TRUE(guard::has_predicates_of_one_type(kValid));
  EXPECT_TRUE(guard::has_valid_field(kValid));
}

TEST(RuleGuard, RejectsIdsThatAreNotKebabCase) {
  for (const std::string_view id : {"", "Host-pid", "host--pid", "-host", "host-", "host_pid"}) {
    EXPECT_FALSE(guard::has_kebab_case_id(with(&Rule::id, id))) << id;
  }
}

TEST(RuleGuard, RejectsTextsThatAreNotClauses) {
  for (const std::string_view text : {"", "a sentence.", " a", "a ", "two  spaces"}) {
    EXPECT_FALSE(guard::has_reason_and_instead_without_full_stop(with(&Rule::reason, text)))
        << text;
    EXPECT_FALSE(guard::has_reason_and_instead_without_full_stop(with(&Rule::instead, text)))
        << text;
    if (text.empty()) continue;  // the default of a row without a text of its own for spec.os
    EXPECT_FALSE(
        guard::has_reason_and_instead_without_full_stop(with(&Rule::instead_with_spec_os, text)))
        << text;
    EXPECT_FALSE(
        guard::has_reason_and_instead_without_full_stop(with(&Rule::instead_in_ephemeral, text)))
        << text;
  }
}

TEST(RuleGuard, RejectsSourcesThatAreNotUrls) {
  for (const std::string_view source : {"", "the KEP", "https://kubernetes.io/ (somewhere)"}) {
    EXPECT_FALSE(guard::has_public_source(with(&Rule::source, source))) << source;
  }
}

TEST(RuleGuard, RejectsVersionsThatDoNotExist) {
  EXPECT_FALSE(guard::has_versions_that_exist(with(&Rule::versions, between({1, 20}, {1, 19}))));
  EXPECT_FALSE(guard::has_versions_that_exist(with(&Rule::versions, since(1, 13))));
}

TEST(RuleGuard, RejectsRowsThatNeitherDenyNorWarn) {
  EXPECT_FALSE(guard::denies_or_warns(with(&Rule::action, Action::allow)));
  EXPECT_FALSE(guard::denies_or_warns(with(&Rule::action, Action::strip)));
  EXPECT_FALSE(guard::has_predicates_of_one_type(with(&Rule::forbids, Predicate{})));
}

TEST(RuleGuard, RejectsPredicatesOfDifferentTypes) {
  EXPECT_FALSE(guard::has_predicates_of_one_type(with(&Rule::forbids_strict, nonempty_list)));
  EXPECT_FALSE(
      guard::has_predicates_of_one_type(with(&Rule::forbids_with_spec_os, present_object)));
  EXPECT_TRUE(
      guard::has_predicates_of_one_type(with(&Rule::forbids_with_spec_os, present_boolean)));
}

TEST(RuleGuard, RejectsFieldsThatAreNotPatterns) {
  for (const std::string_view field :
       {".a", "a.", "a..b", "a[0]", "a[*", "{a", "a}", "{}", "{a,}", "{,a}", "a b", "a,b", "*"}) {
    EXPECT_FALSE(guard::has_valid_field(with_field(field))) << field;
  }
  for (const std::string_view field : {"", "a", "a[*].b", "a[*].{b,c}[*].d"}) {
    EXPECT_TRUE(guard::has_valid_field(with_field(field))) << field;
  }
}

TEST(RuleGuard, RejectsFieldsThatAreTooDeep) {
  EXPECT_TRUE(guard::has_field_that_fits_a_path(with_field("a[*].b.c[*].{d,e}[*].f")));
  EXPECT_FALSE(guard::has_field_that_fits_a_path(with_field("a[*].b.c[*].{d,e}[*].f.g.h")));
}

TEST(RuleGuard, RejectsAnnotationsWithoutAKey) {
  for (const std::string_view key : {"", "noslash", "a*b/*"}) {
    EXPECT_FALSE(guard::has_valid_field(with_field(key, Scope::annotation))) << key;
  }
  for (const std::string_view key : {"a.b/c", "a.b/*", "*.a.b/c"}) {
    EXPECT_TRUE(guard::has_valid_field(with_field(key, Scope::annotation))) << key;
  }
}

TEST(RuleGuard, RejectsRowsThatMatchTheSameValue) {
  const Rule older = with(&Rule::versions, between({1, 14}, {1, 20}));
  const Rule newer = with(&Rule::versions, since(1, 21));
  const Rule other_value = with(&Rule::forbids, is_false);
  EXPECT_FALSE(guard::are_disjoint(kValid, kValid));
  EXPECT_FALSE(guard::are_disjoint(kValid, older));
  EXPECT_TRUE(guard::are_disjoint(older, newer));
  EXPECT_TRUE(guard::are_disjoint(kValid, other_value));
  EXPECT_TRUE(guard::are_disjoint(kValid, with_field("other")));

  const Rule in_host_process_pods = with(&Rule::only_if, all_host_process);
  EXPECT_FALSE(guard::are_disjoint(kValid, in_host_process_pods));
  EXPECT_TRUE(guard::are_disjoint(with(&Rule::unless, all_host_process), in_host_process_pods));
  EXPECT_TRUE(guard::are_disjoint(in_host_process_pods, with(&Rule::unless, all_host_process)));
  EXPECT_FALSE(
      guard::are_disjoint(with(&Rule::unless, host_process_on_host_network), in_host_process_pods));

  Rule same_with_spec_os = other_value;
  same_with_spec_os.forbids_with_spec_os = is_true;
  EXPECT_FALSE(guard::are_disjoint(kValid, same_with_spec_os));

  // Under strict, `forbids` counts beside `forbids_strict`.
  const Rule also_strict = with(&Rule::forbids_strict, nonempty_list);
  Rule same_under_strict = other_value;
  same_under_strict.forbids_strict = is_true;
  EXPECT_FALSE(guard::are_disjoint(also_strict, same_under_strict));
}

TEST(RuleGuard, FindsTheFirstRowThatFails) {
  const Rule rows[] = {kValid, with(&Rule::id, std::string_view("No")), kValid};
  EXPECT_EQ(guard::first_failing(rows, guard::has_kebab_case_id), 1U);
  EXPECT_EQ(guard::first_failing(std::span(rows).first(1), guard::has_kebab_case_id), 1U);
  EXPECT_EQ(guard::first_overlapping(rows), 0U);
  EXPECT_EQ(guard::first_overlapping(std::span(rows).first(2)), 2U);
}

}  // namespace
}  // namespace winadmit
