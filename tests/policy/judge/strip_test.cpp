#include "policy/judge/strip.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace winadmit {
namespace {

std::vector<std::string> removed(StripPatch::Fields fields, Action action,
                                 const std::vector<FieldPath>& paths,
                                 std::string_view id = "host-users", bool has_spec_os = true) {
  StripPatch strip(fields, has_spec_os);
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

TEST(StripPatch, RemovesCapabilitiesAsAWholeBesideSpecOs) {
  EXPECT_EQ(removed(StripPatch::Fields::configured, Action::strip,
                    {FieldPath{"securityContext", "capabilities", "add"},
                     FieldPath{"securityContext", "capabilities", "drop"}}),
            Paths{"/securityContext/capabilities"});
}

TEST(StripPatch, KeepsDroppedCapabilitiesWithoutSpecOs) {
  EXPECT_EQ(removed(StripPatch::Fields::configured, Action::strip,
                    {FieldPath{"securityContext", "capabilities", "add"}}, "ctr-caps-add", false),
            Paths{"/securityContext/capabilities/add"});
}

TEST(StripPatch, RemovesDeniedFieldsOnlyIfAskedFor) {
  EXPECT_EQ(removed(StripPatch::Fields::configured, Action::deny, {FieldPath{"a"}}), Paths{});
  EXPECT_EQ(removed(StripPatch::Fields::configured_and_denied, Action::deny, {FieldPath{"a"}}),
            Paths{"/a"});
  EXPECT_EQ(removed(StripPatch::Fields::configured_and_denied, Action::warn, {FieldPath{"a"}}),
            Paths{});
}

TEST(StripPatch, LeavesDeniedFieldsThatAreNotRemovable) {
  EXPECT_EQ(
      removed(StripPatch::Fields::configured_and_denied, Action::deny, {FieldPath{"a"}}, "vol-nfs"),
      Paths{});
  const FieldPath path{"a"};
  StripPatch strip(StripPatch::Fields::configured_and_denied, true);
  strip.add({.id = "vol-gitrepo", .action = Action::warn, .path = path});
  EXPECT_FALSE(strip.leaves_denials());
  strip.add({.id = "vol-nfs", .action = Action::deny, .path = path});
  EXPECT_TRUE(strip.leaves_denials());
}

}  // namespace
}  // namespace winadmit
