#include "cli/rule_text.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

namespace winadmit::cli {
namespace {

TEST(RuleText, RulesMdIsWhatTheTablePrints) {
  std::ifstream file(WINADMIT_SOURCE_DIR "/policy/RULES.md");
  const std::string written{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(written, rules_as_markdown())
      << "regenerate it: winadmit rules -o markdown > policy/RULES.md";
}

}  // namespace
}  // namespace winadmit::cli
