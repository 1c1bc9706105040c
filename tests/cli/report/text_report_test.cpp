// The text for people on a terminal.
#include <gtest/gtest.h>

#include <string>

#include "cli/report/report.hpp"
#include "tests/cli/report/reports.hpp"
#include "tests/text.hpp"

namespace winadmit::cli {
namespace {

using test::contains;
using test::report_of;

TEST(TerminalReport, UnderlinesTheField) {
  ManifestFinding finding = test::hostile_finding();
  finding.location = {
      .file = "a.yaml", .line = 7, .column = 3, .end_column = 10, .text = "  hostPID: true  # why"};
  finding.object = {.group = "", .kind = "Pod", .name_space = "", .name = "web"};
  finding.field = "spec.hostPID";
  finding.reason = "is not there";
  finding.instead = "remove it";
  const std::string plain = report_of(finding, "text", {.is_for_terminal = true});
  EXPECT_NE(plain.find("a.yaml\n"
                       "  7:3 error host-pid  Pod web\n"
                       "    7 |   hostPID: true  # why\n"
                       "      |   ^^^^^^^\n"
                       "    spec.hostPID: is not there\n"
                       "    help: remove it\n"),
            std::string::npos)
      << plain;
  EXPECT_NE(plain.find("errors: 1 host-pid\n"), std::string::npos) << plain;
  const std::string colour =
      report_of(finding, "text", {.is_for_terminal = true, .colour = true, .quiet = true});
  EXPECT_NE(colour.find("\x1b[31m^^^^^^^\x1b[0m"), std::string::npos) << colour;
  EXPECT_EQ(colour.find("errors:"), std::string::npos) << colour;
}

TEST(TerminalReport, CountsCodePoints) {
  const std::string text =
      report_of(test::finding_behind_other_characters(), "text", {.is_for_terminal = true});
  EXPECT_TRUE(contains(text,
                       "    3 |   {a: \"\u00e9\u4e2d\", hostPID: true}\n"
                       "      |              ^^^^^^^^^^^^^\n"))
      << text;
}

TEST(TerminalReport, NamesAFileOnceAndLeavesOutLongLines) {
  ManifestFinding finding = test::hostile_finding();
  finding.location = {.file = "a.yaml", .line = 1, .column = 1, .text = std::string(401, 'x')};
  const std::string text =
      test::report_of_findings({finding, finding}, "text", {.is_for_terminal = true});
  EXPECT_EQ(test::count(text, "a.yaml\n"), 1U) << text;
  EXPECT_FALSE(contains(text, "xxx")) << text;
}

}  // namespace
}  // namespace winadmit::cli
