#include "cli/rules/rule_text.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cli/terminal/wrap.hpp"
#include "tests/test_data.hpp"

namespace winadmit::cli {
namespace {

TEST(RuleText, RulesMdIsWhatTheTablePrints) {
  EXPECT_EQ(test::read(test::source("policy/rules/RULES.md")), rules_as_markdown(std::nullopt))
      << "regenerate it: winadmit rules -o markdown > policy/rules/RULES.md";
}

TEST(RuleText, FitsTheWidthOfATerminal) {
  for (const std::size_t width : {80U, 120U, 200U}) {
    std::istringstream lines(rules_as_table({}, width));
    for (std::string line; std::getline(lines, line);) {
      const bool is_one_word = line.find(' ', line.find_first_not_of(' ')) == std::string::npos;
      EXPECT_TRUE(line.size() <= width || is_one_word) << width << ": " << line;
    }
  }
  EXPECT_EQ(wrap("one two  three", 8, 2), "one two\n  three");
  EXPECT_EQ(wrap("one two three", 0, 2), "one two three");
  EXPECT_EQ(wrap("unbreakable", 4, 2), "unbreakable");
}

}  // namespace
}  // namespace winadmit::cli
