#include "policy/rules/action.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(Action, HasANameThatIsParsedBack) {
  for (const std::string_view name : {"allow", "warn", "deny", "strip"}) {
    ASSERT_TRUE(parse_action(name)) << name;
    EXPECT_EQ(to_string(*parse_action(name)), name);
  }
  EXPECT_EQ(to_string(Action::strip), "strip");
  EXPECT_EQ(parse_action("Deny"), std::nullopt);
  EXPECT_EQ(parse_action(""), std::nullopt);
}

}  // namespace
}  // namespace winadmit
