#include "export/cel/cel_text.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(CelText, EscapesQuotesAndBackslashesOfAString) {
  EXPECT_EQ(cel_string(R"(a'b\c)"), R"('a\'b\\c')");
  EXPECT_EQ(cel_list(std::vector<std::string>{"a", "b"}), "['a', 'b']");
}

TEST(CelText, FillsPlaceholdersByTheirWholeNames) {
  EXPECT_EQ(fill("$pod.x && $pods && $pod", {{"$pod", "variables.pod"}}),
            "variables.pod.x && $pods && variables.pod");
}

TEST(CelText, LeavesTheEndOfARegularExpression) {
  EXPECT_EQ(fill("$value.matches('a$')", {{"$value", "v"}}), "v.matches('a$')");
  EXPECT_EQ(fill("'a$'", {}), "'a$'");
}

TEST(CelText, DoesNotFillWhatItHasFilledIn) {
  EXPECT_EQ(fill("$a", {{"$a", "$b"}, {"$b", "c"}}), "$b");
}

TEST(CelText, GroupsAnExpressionWithAnOperatorOutsideOfParentheses) {
  EXPECT_EQ(grouped("a && b"), "(a && b)");
  EXPECT_EQ(grouped("(a) || (b)"), "((a) || (b))");
  EXPECT_EQ(grouped("a.exists(b, b == 1)"), "a.exists(b, b == 1)");
  EXPECT_EQ(grouped("(a && b)"), "(a && b)");
  EXPECT_EQ(grouped(R"(a.matches('x y\' z'))"), R"(a.matches('x y\' z'))");
  EXPECT_EQ(grouped("a['b c']"), "a['b c']");
}

TEST(CelText, JoinsSeveralExpressionsInParentheses) {
  EXPECT_EQ(joined_by(" || ", {"a"}), "a");
  EXPECT_EQ(joined_by(" || ", {"a", "b ? c : d"}), "(a || (b ? c : d))");
}

}  // namespace
}  // namespace winadmit
