#include "policy/pod/ignored_rules.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(IgnoredRules, AreSeparatedBySemicolonsOrLines) {
  const auto rules = parse_ignored_rules(" host-pid: reads: all ; host-ipc\n\n;hugepages:x");
  ASSERT_EQ(rules.size(), 3U);
  EXPECT_EQ(rules[0].rule, "host-pid");
  EXPECT_EQ(rules[0].reason, "reads: all");
  EXPECT_EQ(rules[1].rule, "host-ipc");
  EXPECT_EQ(rules[1].reason, "");
  EXPECT_EQ(rules[2].reason, "x");
  EXPECT_TRUE(parse_ignored_rules("").empty());
}

}  // namespace
}  // namespace winadmit
