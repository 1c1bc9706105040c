#include "policy/rules/allowed_fields.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(AllowedFields, FindTheFieldItself) {
  const AllowedField* found = find_allowed_field("spec.runtimeClassName");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->field, "runtimeClassName");
  EXPECT_EQ(find_allowed_field("spec.containers[*].image"),
            find_allowed_field("spec.initContainers[*].name"));
}

TEST(AllowedFields, FindMembersOnlyWhereTheyAreCovered) {
  EXPECT_NE(find_allowed_field("spec.securityContext.windowsOptions.runAsUserName"), nullptr);
  EXPECT_NE(find_allowed_field("spec.securityContext"), nullptr);
  EXPECT_EQ(find_allowed_field("spec.securityContext.runAsUser"), nullptr);
}

TEST(AllowedFields, FindNothingForAForbiddenOrUnknownField) {
  EXPECT_EQ(find_allowed_field("spec.hostPID"), nullptr);
  EXPECT_EQ(find_allowed_field("spec.noSuchField"), nullptr);
  EXPECT_EQ(find_allowed_field(""), nullptr);
}

}  // namespace
}  // namespace winadmit
