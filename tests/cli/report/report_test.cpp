// What holds for every format, and what the formats differ in.
#include "cli/report/report.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "manifests/location.hpp"
#include "tests/cli/binary.hpp"
#include "tests/cli/report/reports.hpp"
#include "tests/text.hpp"

namespace winadmit::cli {
namespace {

using test::contains;
using test::report_of;

class ReportFormat : public testing::TestWithParam<std::string> {};

TEST_P(ReportFormat, PrintsNoControlCharacterOfAFile) {
  for (const bool is_for_terminal : {false, true}) {
    const std::string text =
        report_of(test::hostile_finding(), GetParam(), {.is_for_terminal = is_for_terminal});
    EXPECT_TRUE(simdjson::validate_utf8(text));
    for (const char* control : {"\x1b", "\r", "\u202E", "\u0085"})
      EXPECT_EQ(text.find(control), std::string::npos) << text;
    EXPECT_FALSE(std::regex_search(text, std::regex("(^|\n)::error title=forged"))) << text;
  }
}

TEST_P(ReportFormat, NamesTheRuleOfAFinding) {
  EXPECT_NE(report_of(test::hostile_finding(), GetParam()).find("host-pid"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(All, ReportFormat, testing::ValuesIn(report_formats()),
                         [](const auto& each) { return each.param; });

TEST(Reports, AsJsonKeepTheTextsAsTheyAre) {
  const auto json = nlohmann::json::parse(report_of(test::hostile_finding(), "json"));
  const auto& row = json["findings"][0];
  EXPECT_EQ(row["name"], test::kHostile);
  EXPECT_EQ(row["namespace"], test::kHostile);
  EXPECT_EQ(row["kind"], test::kHostile + ".apps");
  EXPECT_EQ(row["line"], 3);
  EXPECT_EQ(row["column"], 5);
  EXPECT_EQ(row["endColumn"], 12);
  EXPECT_EQ(row["action"], "deny");
  EXPECT_TRUE(row["source"].get<std::string>().starts_with("https://"));
  EXPECT_EQ(json["errors"][0], test::kHostile);
  EXPECT_EQ(json["skipped"][0], test::kHostile);
  EXPECT_EQ(json["skippedCharts"][0], test::kHostile);
  EXPECT_EQ(json["skippedTemplates"][0], test::kHostile);
  EXPECT_EQ(json["notJudged"].size(), 1U);
  EXPECT_EQ(json["summary"]["findings"], 1);
  EXPECT_EQ(json["summary"]["denials"]["host-pid"], 1);
}

TEST(Reports, TellWarningsFromErrors) {
  ManifestFinding finding = test::hostile_finding();
  finding.is_denial = false;
  EXPECT_TRUE(report_of(finding, "github").starts_with("::warning file="));
  EXPECT_EQ(nlohmann::json::parse(report_of(finding, "gitlab"))[0]["severity"], "minor");
  const std::string html = report_of(finding, "html");
  EXPECT_TRUE(contains(html, "<section class=\"finding\" data-action=\"warning\""));
  EXPECT_TRUE(contains(html, "<span class=\"action\">warning</span>"));
  const auto sarif = nlohmann::json::parse(report_of(finding, "sarif"));
  EXPECT_EQ(sarif["runs"][0]["results"][0]["level"], "warning");
  EXPECT_TRUE(contains(report_of(finding, "junit"), "<system-out>"));
  EXPECT_TRUE(
      contains(report_of(finding, "text", {.is_for_terminal = true}), "warnings: 1 host-pid\n"));
}

TEST(Reports, NameNoLineOfAFindingOrErrorWithoutOne) {
  ManifestFinding finding = test::hostile_finding();
  finding.location = {.file = "a.yaml"};
  const auto with_error = [&](const std::string& format) {
    std::ostringstream out;
    const auto report = make_report(format, out, {});
    report->begin();
    report->finding(finding);
    report->error({.what = "no objects found", .location = {}});
    report->end({});
    return out.str();
  };
  const std::string github = with_error("github");
  EXPECT_TRUE(github.starts_with("::error file=a.yaml,title=")) << github;
  EXPECT_TRUE(contains(github, "\n::error title=winadmit::no objects found\n")) << github;
  const auto gitlab = nlohmann::json::parse(with_error("gitlab"));
  ASSERT_EQ(gitlab.size(), 1U) << "GitLab reads no entry without a path";
  EXPECT_EQ(gitlab[0]["location"]["lines"]["begin"], 1);
  const auto sarif = nlohmann::json::parse(report_of(finding, "sarif"));
  const auto& location = sarif["runs"][0]["results"][0]["locations"][0];
  EXPECT_FALSE(location["physicalLocation"].contains("region"));
  EXPECT_FALSE(contains(report_of(finding, "junit"), "line=\"0\""));
  EXPECT_FALSE(contains(report_of(finding, "text", {.is_for_terminal = true}), "0:0"));
}

/// The report of one object without findings that is not judged, and nothing else.
std::string report_of_not_judged(const std::string& format) {
  std::ostringstream out;
  const auto report = make_report(format, out, {});
  const Verdict verdict{.object = {.group = "", .kind = "ConfigMap", .name_space = "", .name = "m"},
                        .findings = {}};
  report->begin();
  report->object({.location = {.file = "a.yaml", .line = 1, .column = 1}, .verdict = verdict});
  report->end({});
  return out.str();
}

TEST(Reports, AsTestsSkipWhatIsNotJudged) {
  const std::string junit = report_of_not_judged("junit");
  EXPECT_TRUE(contains(junit, "skipped=\"1\"")) << junit;
  EXPECT_TRUE(contains(junit, "<skipped message=\"not judged\"/>")) << junit;
}

TEST(Reports, AsWorkflowCommandsAreOneLineAFinding) {
  ManifestFinding finding = test::hostile_finding();
  finding.location.file = "a,b:c%.yaml";
  finding.object = {.group = "", .kind = "Pod", .name_space = "", .name = "web"};
  finding.reason = "50% more";
  finding.instead = "remove it";
  const std::string text = report_of(finding, "github");
  EXPECT_TRUE(
      text.starts_with("::error file=a%2Cb%3Ac%25.yaml,line=3,col=5,endColumn=12,"
                       "title=Pod web%3A host-pid::"))
      << text;
  EXPECT_NE(text.find("50%25 more; remove it\n"), std::string::npos) << text;
  EXPECT_EQ(std::ranges::count(text, '\n'), 2) << "the finding and the error";
}

TEST(Reports, AsWorkflowCommandsCountCodePoints) {
  const std::string text = report_of(test::finding_behind_other_characters(), "github");
  EXPECT_NE(text.find(",line=3,col=14,endColumn=27,"), std::string::npos) << text;
}

TEST(Reports, AsSarifCountCodePoints) {
  ManifestFinding finding = test::finding_behind_other_characters();
  const auto region = [&] {
    const auto log = nlohmann::json::parse(report_of(finding, "sarif"));
    return log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
  };
  EXPECT_EQ(region(), nlohmann::json({{"startLine", 3}, {"startColumn", 14}, {"endColumn", 27}}));
  finding.location.text.clear();  // of a very long line
  EXPECT_EQ(region(), nlohmann::json({{"startLine", 3}}));
}

TEST(Reports, AsJsonCountBytes) {
  const auto json =
      nlohmann::json::parse(report_of(test::finding_behind_other_characters(), "json"));
  EXPECT_EQ(json["findings"][0]["column"], 17);
  EXPECT_EQ(json["findings"][0]["endColumn"], 30);
}

TEST(Reports, ForGitlabHaveFingerprints) {
  const auto list = nlohmann::json::parse(report_of(test::hostile_finding(), "gitlab"));
  ASSERT_EQ(list.size(), 2U) << "the finding and the error";
  EXPECT_EQ(list[1]["check_name"], "unreadable");
  EXPECT_EQ(list[1]["location"], list[0]["location"]);
  EXPECT_EQ(list[0]["fingerprint"], "0123");
  EXPECT_EQ(list[0]["severity"], "major");
  EXPECT_EQ(list[0]["location"]["lines"]["begin"], 3);
}

std::string report_of_error(const std::string& format, int line) {
  std::ostringstream out;
  const auto report = make_report(format, out, {});
  report->begin();
  report->error({.what = "bad", .location = {.file = "a.yaml", .line = line, .column = 1}});
  report->end({});
  return out.str();
}

TEST(Reports, NameThePlaceOfAnErrorWithIt) {
  EXPECT_TRUE(contains(report_of_error("junit", 3), "<error message=\"a.yaml:3:1: bad\"/>"));
  const auto fingerprint = [](int line) {
    return nlohmann::json::parse(report_of_error("gitlab", line))[0]["fingerprint"];
  };
  EXPECT_NE(fingerprint(3), fingerprint(4));
}

TEST(Reports, ForGithubCountTheColumnOfAnErrorInCodePoints) {
  std::ostringstream out;
  const auto report = make_report("github", out, {});
  report->error({.what = "bad",
                 .location = {.file = "a.yaml", .line = 3, .column = 5, .text = "\u00e4: [x"}});
  EXPECT_EQ(out.str(), "::error file=a.yaml,line=3,col=4,title=winadmit::bad\n");
}

}  // namespace
}  // namespace winadmit::cli
