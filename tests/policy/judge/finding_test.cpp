#include "policy/judge/finding.hpp"

#include <gtest/gtest.h>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

TEST(FindingCollector, KeepsDenialsFirstAndCountsTheRest) {
  const FieldPath path{"spec"};
  FindingCollector collector;
  for (int i = 0; i < 150; ++i) {
    collector.add({.id = "w", .action = Action::warn, .path = path});
  }
  for (const char* id : {"b", "c"}) {
    collector.add({.id = id, .action = Action::deny, .path = path});
  }
  const Findings findings = collector.extract();
  EXPECT_EQ(findings.denials, 2U);
  EXPECT_EQ(findings.total, 152U);
  ASSERT_EQ(findings.kept.size(), 100U);
  EXPECT_EQ(findings.kept[0].id, "b");
  EXPECT_EQ(findings.kept[1].id, "c");
  EXPECT_EQ(findings.kept[2].id, "w");
}

TEST(Finding, HasAMessageOfFieldTextAndId) {
  Finding finding;
  finding.id = "host-pid";
  finding.field = "spec.hostPID";
  finding.lead = "cannot be set";
  finding.reason = "it is missing";
  finding.instead = "remove it";
  EXPECT_EQ(finding.message(), "spec.hostPID: cannot be set: it is missing; remove it (host-pid)");
  EXPECT_EQ(finding.message().size(), finding.message_size());
  finding.lead = "";
  EXPECT_EQ(finding.message(), "spec.hostPID: it is missing; remove it (host-pid)");
  EXPECT_EQ(finding.message().size(), finding.message_size());
}

FindingView with_value(const FieldPath& path, std::optional<JsonValue> value) {
  return {.id = "a", .action = Action::deny, .path = path, .value = value};
}

TEST(FindingSet, ComparesIdActionFieldAndValue) {
  const FieldPath path{"spec", "a"};
  const FieldPath other_path{"spec", "b"};
  const test::ParsedJson value(R"([1, 2])");
  const test::ParsedJson reordered(R"([2, 1])");
  const test::ParsedJson other_value(R"([1])");
  FindingSet set(1);
  const FindingView finding = with_value(path, value.value());
  EXPECT_FALSE(set.contains(finding));
  set.add(finding);
  EXPECT_TRUE(set.contains(finding));
  EXPECT_TRUE(set.contains(with_value(path, reordered.value()))) << "lists are compared as sets";
  EXPECT_FALSE(set.contains(with_value(path, other_value.value())));
  EXPECT_FALSE(set.contains(with_value(path, std::nullopt)));
  EXPECT_FALSE(set.contains(with_value(other_path, value.value())));

  FindingView other = finding;
  other.reason = "another reason";
  EXPECT_TRUE(set.contains(other));
  other.action = Action::warn;
  EXPECT_FALSE(set.contains(other));
  FindingView other_id = finding;
  other_id.id = "b";
  EXPECT_FALSE(set.contains(other_id));
}

}  // namespace
}  // namespace winadmit
