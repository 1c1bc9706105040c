// JUnit XML.
#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "cli/report/report.hpp"
#include "manifests/location.hpp"
#include "tests/cli/report/reports.hpp"
#include "tests/text.hpp"

namespace winadmit::cli {
namespace {

using test::contains;
using test::report_of;

TEST(JunitReport, CountsTheCasesOfAFile) {
  ManifestFinding finding = test::hostile_finding();
  finding.location.file = "a.yaml";
  finding.object = {.group = "", .kind = "Pod", .name_space = "", .name = "<web>"};
  const std::string text = report_of(finding, "junit");
  EXPECT_NE(text.find("<testsuite name=\"a.yaml\" tests=\"2\" failures=\"1\""), std::string::npos);
  EXPECT_NE(text.find("<testcase name=\"Pod &lt;web&gt;\""), std::string::npos) << text;
  EXPECT_NE(text.find("errors=\"1\""), std::string::npos) << text;
  finding.is_denial = false;
  EXPECT_NE(report_of(finding, "junit").find("failures=\"0\""), std::string::npos);
  EXPECT_NE(report_of(finding, "junit", {.fails_on = Action::warn}).find("failures=\"1\""),
            std::string::npos);
}

TEST(JunitReport, NamesThePlaceOfAnError) {
  std::ostringstream out;
  const auto report = make_report("junit", out, {});
  report->begin();
  report->error({.what = "bad", .location = {.file = "a.yaml", .line = 3, .column = 1}});
  report->error({.what = "a chart", .location = {}});
  report->end({});
  for (const char* test : {"<testcase name=\"read a.yaml:3:1\"", "<testcase name=\"read a chart\""})
    EXPECT_NE(out.str().find(test), std::string::npos) << out.str();
}

TEST(JunitReport, HasOneSuiteForAFileWithErrors) {
  const manifests::Location at{.file = "a.yaml", .line = 1, .column = 1};
  const Verdict verdict{.object = {}, .is_judged = true, .findings = {}};
  std::ostringstream out;
  const auto report = make_report("junit", out, {});
  report->begin();
  report->object({.location = at, .verdict = verdict});
  report->error({.what = "bad", .location = at});
  report->object({.location = at, .verdict = verdict});
  report->end({});
  EXPECT_TRUE(contains(out.str(),
                       "<testsuite name=\"a.yaml\" tests=\"3\" failures=\"0\" "
                       "errors=\"1\""))
      << out.str();
}

TEST(JunitReport, NamesTheRulesOfAFailure) {
  const ManifestFinding finding = test::hostile_finding();
  ManifestFinding other = finding;
  other.rule = "host-ipc";
  const Verdict verdict{.object = finding.object, .is_judged = true, .findings = {finding, other}};
  std::ostringstream out;
  const auto report = make_report("junit", out, {});
  report->begin();
  report->object({.location = finding.location, .verdict = verdict});
  report->end({});
  EXPECT_TRUE(contains(out.str(), "<failure type=\"finding\" message=\"host-pid, host-ipc\">"))
      << out.str();
}

}  // namespace
}  // namespace winadmit::cli
