#include "cli/rule_text.hpp"

#include <gtest/gtest.h>

#include "tests/test_data.hpp"

namespace winadmit::cli {
namespace {

TEST(RuleText, RulesMdIsWhatTheTablePrints) {
  EXPECT_EQ(test::read(test::source("policy/rules/RULES.md")), rules_as_markdown(std::nullopt))
      << "regenerate it: winadmit rules -o markdown > policy/rules/RULES.md";
}

}  // namespace
}  // namespace winadmit::cli
