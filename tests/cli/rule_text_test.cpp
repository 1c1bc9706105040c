#include "cli/rule_text.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "tests/test_data.hpp"

namespace winadmit::cli {
namespace {

TEST(RuleText, RulesMdIsWhatTheTablePrints) {
  std::ifstream file(test::source("policy/rules/RULES.md"));
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(written, rules_as_markdown())
      << "regenerate it: winadmit rules -o markdown > policy/rules/RULES.md";
}

}  // namespace
}  // namespace winadmit::cli
