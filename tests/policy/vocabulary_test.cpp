// Versions, paths and JSON values: the words that the rest of the policy is written in.
#include <gtest/gtest.h>

#include <stdexcept>

#include "policy/field_path.hpp"
#include "policy/finding.hpp"
#include "policy/version.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

TEST(Version, IsReadFromAMinorOrPatchRelease) {
  EXPECT_EQ(parse_version("1.34"), (Version{1, 34}));
  EXPECT_EQ(parse_version("v1.34.4"), (Version{1, 34}));
  for (const char* bad : {"", "1", "1.", ".34", "v", "1.34.", "1.34.x", "1.34-rc.1", "1.34+",
                          " 1.34", "1.34 ", "-1.34", "1.-34", "one", "1.99999999999"}) {
    EXPECT_EQ(parse_version(bad), std::nullopt) << bad;
  }
}

TEST(Version, RangesHoldBothEnds) {
  EXPECT_TRUE(since(1, 24).contains({1, 24}));
  EXPECT_FALSE(since(1, 24).contains({1, 23}));
  EXPECT_TRUE(between({1, 14}, {1, 19}).contains({1, 19}));
  EXPECT_FALSE(between({1, 14}, {1, 19}).contains({1, 20}));
  EXPECT_FALSE(between({1, 14}, {1, 19}).overlaps(since(1, 20)));
  EXPECT_TRUE(between({1, 14}, {1, 19}).overlaps(since(1, 19)));
  EXPECT_EQ(to_string(since(1, 22)), "1.22+");
  EXPECT_EQ(to_string(between({1, 14}, {1, 19})), "1.14-1.19");
  EXPECT_EQ(to_string(between({1, 14}, {1, 14})), "1.14");
}

TEST(FieldPath, IsWrittenAsTheApiServerDoesAndAsAPointer) {
  const test::Parsed container(R"({"name": "app"})");
  const test::Parsed port(R"({"containerPort": 80})");
  FieldPath path{"spec", "containers"};
  path.enter(1, container.json());
  path.enter("ports");
  path.enter(0, port.json());
  EXPECT_EQ(path.text(), "spec.containers[1].ports[0]");
  EXPECT_EQ(path.identity(), "spec.containers[app].ports[0]");
  EXPECT_EQ(path.pointer(), "/spec/containers/1/ports/0");

  FieldPath annotation{"metadata", "annotations"};
  annotation.enter_key("a.b/c~d");
  EXPECT_EQ(annotation.text(), "metadata.annotations[a.b/c~d]");
  EXPECT_EQ(annotation.pointer(), "/metadata/annotations/a.b~1c~0d");
}

TEST(FieldPath, IsCopiedAsFarAsItGoesAndGoesNoDeeperThanItHolds) {
  FieldPath path;
  for (std::size_t i = 0; i < FieldPath::kMostSteps; ++i) path.enter("a");
  FieldPath copy{"b"};
  copy = path;
  EXPECT_EQ(copy.text(), path.text());
  EXPECT_THROW(path.enter("a"), std::length_error);
  path.leave();
  path.enter("c");
  EXPECT_TRUE(path.text().ends_with(".a.c"));
  EXPECT_TRUE(copy.text().ends_with(".a.a"));
}

TEST(Json, IsTheSameWhateverTheOrderOfMembers) {
  const auto same = [](const char* a, const char* b) {
    return same_json(test::Parsed(a).json(), test::Parsed(b).json());
  };
  EXPECT_TRUE(same(R"({"a":1,"b":[true,null]})", R"({"b":[true,null],"a":1})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":null})"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_FALSE(same("[1]", "[1,2]"));
  EXPECT_FALSE(same("1", "\"1\""));
  EXPECT_FALSE(same("0", "false"));
  EXPECT_TRUE(same("18446744073709551615", "18446744073709551615"));
}

TEST(Finding, GoesWithDenialsFirst) {
  std::vector<Finding> findings(3);
  findings[0].id = "a";
  findings[0].action = Action::warn;
  findings[1].id = "b";
  findings[2].id = "c";
  most_important_first(findings);
  EXPECT_EQ(findings[0].id, "b");
  EXPECT_EQ(findings[1].id, "c");
  EXPECT_EQ(findings[2].id, "a");
}

TEST(Finding, SaysFieldTextAndRule) {
  Finding finding;
  finding.id = "host-pid";
  finding.field = Text("spec.hostPID");
  finding.text = Text("cannot be set");
  EXPECT_EQ(finding.message(), "spec.hostPID: cannot be set (host-pid)");
}

TEST(Text, IsWhatIsHeldOrWhatWasMade) {
  const Text policy("of the policy");
  EXPECT_EQ(std::string_view(policy.borrowed()), "of the policy");
  EXPECT_EQ(std::string_view(policy.borrowed()).data(), std::string_view(policy).data());
  EXPECT_EQ(std::string_view(Text("of a pod")), "of a pod");
  EXPECT_EQ(std::string_view(Text()), "");
  EXPECT_TRUE(is_plain(Text("of a pod")));
  EXPECT_FALSE(is_plain(Text("of a \"pod\"")));
  EXPECT_FALSE(is_plain(Text("of a \"pod\"").borrowed()));
  Text moved("short");
  const Text taken = std::move(moved);
  EXPECT_EQ(std::string_view(taken), "short");
}

}  // namespace
}  // namespace winadmit
