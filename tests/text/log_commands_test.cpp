#include "text/log_commands.hpp"

#include <gtest/gtest.h>

#include "tests/log_of_ci.hpp"
#include "text/printable.hpp"

namespace winadmit {
namespace {

TEST(LogCommands, BeginALineOrHaveABracketAnywhere) {
  for (const char* line :
       {"::error::x", "  ::stop-commands::x", "\t\u00A0::add-mask::x", "\u3000::group::x",
        "\uFEFF::error::x", "x ##[error]y", "###[group]", "a##vso[task.setvariable variable=a]b",
        "##teamcity[buildStop]", "a\r::error::x", "section_start:1:a\r\x1b[0K", "\xff\xfe:\x01"})
    EXPECT_EQ(find_log_command(std::string("a\n") + line + "\nb"), 2U) << line;
  for (const char* line : {"", "a ::error::x", ":", ": :", "## [x]", "#[x]", "## a", "a[0]",
                           "a: '::'", "##-[x]", "caf\u00E9", "  ::1 localhost"})
    EXPECT_EQ(find_log_command(line), 0U) << line;
}

TEST(LogCommands, AreBrokenInWhatIsPrinted) {
  EXPECT_EQ(printable("::stop-commands::x.yaml"), "\\x3a:stop-commands::x.yaml");
  EXPECT_EQ(printable("\u2003 ::a::b"), "\u2003 \\x3a:a::b");
  EXPECT_EQ(printable("a ##[b]c ##vso[d]"), "a ##\\x5bb]c ##vso\\x5bd]");
  EXPECT_EQ(printable_lines("a\n::b::\n\n##[c]\x1b"), "a\n\\x3a:b::\n\n##\\x5bc]\\x1b");
  EXPECT_EQ(printable("a::b [0] #c"), "a::b [0] #c");
}

TEST(LogCommands, AreBrokenInALongText) {
  std::string text;
  for (int i = 0; i < 500'000; ++i) text += "##[";
  EXPECT_EQ(find_log_command(printable(text)), 0U);
}

}  // namespace
}  // namespace winadmit
