#include <gtest/gtest.h>

#include <regex>
#include <string>

#include "bytes/base64.hpp"
#include "bytes/digest.hpp"
#include "tests/cli/report/reports.hpp"
#include "tests/text.hpp"

namespace winadmit::cli {
namespace {

using test::contains;
using test::count;

TEST(HtmlReport, RunsItsOwnScriptAlone) {
  const std::string page = test::report_of(test::hostile_finding(), "html");
  ASSERT_EQ(count(page, "<script"), 1U) << "a text of a manifest became an element";
  const std::size_t begin = page.find("<script>") + 8;
  const std::string script = page.substr(begin, page.find("</script>") - begin);
  EXPECT_NE(page.find("script-src 'sha256-" + to_base64(sha256_bytes(script)) + "'"),
            std::string::npos)
      << "the policy of the page must allow this script and no other";
}

/// Outside of the elements that the report itself writes, no tag begins; in the tags, no text ends
/// its attribute.
TEST(HtmlReport, EscapesEveryTextOfAManifest) {
  const std::string page = test::report_of(test::hostile_finding(), "html");
  EXPECT_EQ(page.find("<img"), std::string::npos);
  const std::string tags = std::regex_replace(page, std::regex("\"[^\"]*\""), "");
  EXPECT_FALSE(std::regex_search(tags, std::regex(R"(<[^>]*\sonerror)"))) << tags;
  EXPECT_GE(count(page, "&lt;img src=x onerror=a()&gt;"), 8U)
      << "kind, namespace, name, field, message, file, errors, skipped";
}

TEST(HtmlReport, LoadsNothing) {
  const std::string page = test::report_of(test::hostile_finding(), "html");
  EXPECT_NE(page.find("default-src 'none'"), std::string::npos);
  EXPECT_FALSE(std::regex_search(page, std::regex(R"(<link|@import|url\(|<iframe|\ssrc=\"|<img)")));
}

TEST(HtmlReport, ChartsByRuleNamespaceAndWorkload) {
  ManifestFinding finding = test::hostile_finding();
  finding.object = {.group = "", .kind = "Pod", .name_space = "shop", .name = "web"};
  const std::string page = test::report_of(finding, "html");
  for (const char* bar :
       {"data-key=\"rule\" data-value=\"host-pid\"", "data-key=\"namespace\" data-value=\"shop\"",
        "data-key=\"workload\" data-value=\"Pod shop/web\""})
    EXPECT_EQ(count(page, bar), 1U) << bar;
  EXPECT_TRUE(contains(page, "all namespaces</option><option value=\"shop\">"));
}

TEST(HtmlReport, ListsWhatWasNotRead) {
  EXPECT_TRUE(
      contains(test::report_of(test::hostile_finding(), "html"), "<summary>Not read: 1</summary>"));
}

TEST(HtmlReport, FoldsWhatWasNotJudgedBelowTheFindings) {
  const std::string page = test::report_of(test::hostile_finding(), "html");
  EXPECT_LT(page.find("<article"), page.find("<summary>Not judged, or left out: "));
  EXPECT_LT(page.find("<summary>Not judged"), page.find("not judged: 1 ")) << "not in the open";
}

ManifestFinding finding_in(const std::string& object, int container) {
  ManifestFinding finding = test::hostile_finding();
  finding.object = {.group = "apps", .kind = "DaemonSet", .name_space = "", .name = object};
  finding.field = "spec.template.spec.containers[" + std::to_string(container) + "].a";
  return finding;
}

TEST(HtmlReport, GroupsFindingsByObjectAndEqualOnesByField) {
  std::vector<ManifestFinding> findings;
  for (int container = 0; container < 33; ++container) {
    findings.push_back(finding_in("agent", container));
    findings.push_back(finding_in("agent", container));
    findings.back().rule = "other";
  }
  for (int container = 0; container < 3; ++container)
    findings.push_back(finding_in("proxy", container));
  const std::string page = test::report_of_findings(findings, "html");
  EXPECT_EQ(count(page, "<article"), 2U);
  EXPECT_EQ(count(page, "<section class=\"finding\""), 3U);
  EXPECT_EQ(count(page, "data-rule=\"host-pid\" data-count=\"33\">"), 1U);
  EXPECT_EQ(count(page, "<summary>33 fields</summary>"), 2U);
  EXPECT_EQ(count(page, "<summary>3 fields</summary>"), 0U) << "few are shown";
  EXPECT_EQ(count(page, "<li><code>spec.template.spec.containers["), 69U);
}

TEST(HtmlReport, DrawsBarsInProportionToTheLongest) {
  std::vector<ManifestFinding> findings(5, test::hostile_finding());
  findings[0].rule = "a";
  for (std::size_t i = 1; i < findings.size(); ++i) findings[i].rule = "b";
  const std::string page = test::report_of_findings(findings, "html");
  EXPECT_TRUE(contains(page, "<span>b</span><b>4</b></span><i style=\"width:100%\">"));
  EXPECT_TRUE(contains(page, "<span>a</span><b>1</b></span><i style=\"width:25%\">"));
  EXPECT_LT(page.find("<span>b</span>"), page.find("<span>a</span>")) << "the most frequent first";
}

TEST(HtmlReport, ChartsTheTwelveMostFrequentValues) {
  const auto page_of = [](int rules) {
    std::vector<ManifestFinding> findings;
    for (int i = 1; i <= rules; ++i) {
      ManifestFinding finding = test::hostile_finding();
      finding.rule = "rule-" + std::to_string(i);
      for (int times = 0; times < i; ++times) findings.push_back(finding);
    }
    return test::report_of_findings(findings, "html");
  };
  EXPECT_EQ(count(page_of(12), "data-key=\"rule\""), 12U);
  EXPECT_EQ(count(page_of(12), " more</p>"), 0U);
  const std::string page = page_of(13);
  EXPECT_EQ(count(page, "data-key=\"rule\""), 12U);
  EXPECT_EQ(count(page, "data-value=\"rule-1\""), 0U);
  EXPECT_EQ(count(page, "<p class=\"faint\">and 1 more</p>"), 1U);
}

}  // namespace
}  // namespace winadmit::cli
