#include "policy/judge/strip.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

std::vector<std::string> removed(StripPatch::Fields fields, Action action,
                                 const std::vector<FieldPath>& paths,
                                 std::string_view id = "host-users") {
  StripPatch strip(fields);
  for (const FieldPath& path : paths) {
    strip.add({.id = id, .action = action, .path = path});
  }
  std::vector<std::string> removed;
  for (const PatchOperation& operation : strip.extract()) {
    EXPECT_EQ(operation.op, "remove");
    EXPECT_EQ(operation.value, "");
    removed.push_back(operation.path);
  }
  return removed;
}

using Paths = std::vector<std::string>;

TEST(StripPatch, RemovesEachFieldOnce) {
  EXPECT_EQ(removed(StripPatch::Fields::configured, Action::strip,
                    {FieldPath{"spec", "hostPID"}, FieldPath{"spec", "hostPID"}}),
            Paths{"/spec/hostPID"});
}

TEST(StripPatch, RemovesDeniedFieldsOnlyIfAskedFor) {
  EXPECT_EQ(removed(StripPatch::Fields::configured, Action::deny, {FieldPath{"a"}}), Paths{});
  EXPECT_EQ(removed(StripPatch::Fields::configured_and_denied, Action::deny, {FieldPath{"a"}}),
            Paths{"/a"});
  EXPECT_EQ(removed(StripPatch::Fields::configured_and_denied, Action::warn, {FieldPath{"a"}}),
            Paths{});
}

TEST(StripPatch, LeavesDeniedFieldsThatAreNotRemovable) {
  EXPECT_EQ(removed(StripPatch::Fields::configured_and_denied, Action::deny, {FieldPath{"a"}},
                    "volume-nfs"),
            Paths{});
  const FieldPath path{"a"};
  StripPatch strip(StripPatch::Fields::configured_and_denied);
  strip.add({.id = "volume-git-repo", .action = Action::warn, .path = path});
  EXPECT_FALSE(strip.leaves_denials());
  strip.add({.id = "volume-nfs", .action = Action::deny, .path = path});
  EXPECT_TRUE(strip.leaves_denials());
}

Paths without_emptied(std::string_view spec, const std::vector<std::string>& removed) {
  Patch patch;
  for (const std::string& path : removed) patch.push_back({"remove", path, {}});
  const test::ParsedPod parsed(spec);
  Paths paths;
  for (const PatchOperation& each : remove_emptied_capabilities(std::move(patch), parsed.pod()))
    paths.push_back(each.path);
  return paths;
}

/// Of a pod with one container.
Paths without_emptied_of(const std::string& capabilities, const Paths& removed) {
  return without_emptied(
      R"({"containers": [{"securityContext": {"capabilities": )" + capabilities + "}}]}", removed);
}

const std::string kAt = "/spec/containers/0/securityContext/capabilities";

TEST(RemoveEmptiedCapabilities, RemovesThemAsAWholeIfNothingIsLeft) {
  EXPECT_EQ(without_emptied_of(R"({"add": ["A"], "drop": ["ALL"]})",
                               {"/spec/hostUsers", kAt + "/add", kAt + "/drop"}),
            (Paths{"/spec/hostUsers", kAt}));
  for (const char* capabilities : {R"({"drop": ["ALL"]})", R"({"add": [], "drop": ["ALL"]})",
                                   R"({"add": null, "drop": ["ALL"]})"})
    EXPECT_EQ(without_emptied_of(capabilities, {kAt + "/drop"}), Paths{kAt}) << capabilities;
}

TEST(RemoveEmptiedCapabilities, LeavesWhatThePatchDoesNotRemove) {
  const char* both = R"({"add": ["A"], "drop": ["ALL"]})";
  for (const char* member : {"/add", "/drop"})
    EXPECT_EQ(without_emptied_of(both, {kAt + member}), Paths{kAt + member});
}

TEST(RemoveEmptiedCapabilities, TellsContainersApart) {
  const auto at = [](const char* container) {
    return std::string("/spec/") + container + "/securityContext/capabilities";
  };
  EXPECT_EQ(without_emptied(
                R"({"containers": [{"securityContext": {"capabilities": {"drop": [1]}}}, null,
                    {"securityContext": {"capabilities": {"add": [1], "drop": [1]}}}],
                    "initContainers": [{"securityContext": {"capabilities": {"add": [1]}}}]})",
                {at("initContainers/0") + "/add", at("containers/0") + "/drop",
                 at("containers/2") + "/drop"}),
            (Paths{at("initContainers/0"), at("containers/0"), at("containers/2") + "/drop"}));
}

}  // namespace
}  // namespace winadmit
