// The parts of the schema of SARIF 2.1.0 that the report uses:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/judge/rule_ids.hpp"
#include "manifests/location.hpp"
#include "policy/rules/rule.hpp"
#include "tests/cli/binary.hpp"
#include "tests/cli/report/reports.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

json log_of(const ManifestFinding& finding) {
  return json::parse(test::report_of(finding, "sarif"));
}

json descriptors_of(Version version) {
  const json log =
      json::parse(test::report_of(test::hostile_finding(), "sarif", {.kubernetes = version}));
  return log["runs"][0]["tool"]["driver"]["rules"];
}

TEST(SarifReport, DescribesEveryRuleOfTheReleaseOnce) {
  EXPECT_EQ(log_of(test::hostile_finding())["version"], "2.1.0");
  std::set<std::string> ids;
  for (const Version version :
       {kOldestVersion, Version{1, 15}, Version{1, 16}, Version{1, 24}, kNewestVersion}) {
    std::set<std::string> of_release;
    for (const json& described : descriptors_of(version)) {
      const std::string id = described["id"];
      EXPECT_TRUE(of_release.insert(id).second) << id;
      EXPECT_FALSE(described["shortDescription"]["text"].get<std::string>().empty()) << id;
      const std::string help = described.value("helpUri", "https://");
      EXPECT_TRUE(help.starts_with("https://")) << help;
      std::set<std::string_view> sources;
      for (const Rule& rule : rules()) {
        if (rule.id == id && rule.versions.contains(version)) sources.insert(rule.source);
      }
      EXPECT_TRUE(sources.empty() || sources.contains(help)) << id << ": " << help;
      EXPECT_EQ(sources.empty(), std::ranges::find(rules(), id, &Rule::id) == rules().end()) << id;
    }
    ids.merge(of_release);
  }
  EXPECT_EQ(ids, std::set<std::string>(rule_ids().begin(), rule_ids().end()));
}

TEST(SarifReport, HasTheLevelOfEachRule) {
  std::map<std::string, std::string> levels;
  for (const json& described : descriptors_of(kNewestVersion))
    levels[described["id"]] = described["defaultConfiguration"]["level"];
  EXPECT_EQ(levels.at("host-pid"), "error");
  EXPECT_EQ(levels.at("advice-unplaced"), "warning");
  EXPECT_EQ(levels.at("annotation-apparmor"), "error") << "one of its rows denies, the last warns";
}

TEST(SarifReport, PointsToTheRuleAndTheRegion) {
  const json log = log_of(test::hostile_finding());
  const json& run = log["runs"][0];
  const json& result = run["results"][0];
  EXPECT_EQ(run["tool"]["driver"]["rules"][result["ruleIndex"].get<std::size_t>()]["id"],
            result["ruleId"]);
  EXPECT_EQ(result["level"], "error");
  const json& physical = result["locations"][0]["physicalLocation"];
  EXPECT_EQ(physical["region"], json({{"startLine", 3}, {"startColumn", 5}, {"endColumn", 12}}));
  const auto uri = physical["artifactLocation"]["uri"].get<std::string>();
  EXPECT_EQ(uri.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "-._~/%"),
            std::string::npos)
      << uri;
  EXPECT_EQ(result["partialFingerprints"]["winadmit/v1"], "0123");
  EXPECT_EQ(run["invocations"][0]["executionSuccessful"], false);
  EXPECT_EQ(run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"],
            test::kHostile);
}

TEST(SarifReport, HasNeitherPlaceholdersNorLinksOfOthersInItsMessages) {
  ManifestFinding finding = test::hostile_finding();
  finding.reason = "x [click](https://evil.example) {0}";
  const json message = log_of(finding)["runs"][0]["results"][0]["message"];
  EXPECT_NE(message["text"].get<std::string>().find("x [click\\](https://evil.example) {{0}}"),
            std::string::npos)
      << message;
}

TEST(SarifReport, EscapesBackslashesBeforeABracketToo) {
  ManifestFinding finding = test::hostile_finding();
  finding.reason = R"([a\](b) c\d)";
  const json message = log_of(finding)["runs"][0]["results"][0]["message"];
  EXPECT_NE(message["text"].get<std::string>().find(R"([a\\\](b) c\d)"), std::string::npos)
      << message;
}

TEST(SarifReport, SaysWhetherEverythingWasRead) {
  const json log = json::parse(test::report_of_findings({}, "sarif"));
  EXPECT_EQ(log["runs"][0]["invocations"][0], json({{"executionSuccessful", true}}));
}

TEST(SarifReport, NamesAbsoluteFilesByAUrlAndNoObjectWhereThereIsNone) {
  ManifestFinding finding = test::hostile_finding();
  finding.location.file = "/a b/pod.yaml";
  finding.object = {};
  const json log = log_of(finding);
  const json& location = log["runs"][0]["results"][0]["locations"][0];
  EXPECT_EQ(location["physicalLocation"]["artifactLocation"]["uri"], "file:///a%20b/pod.yaml");
  EXPECT_FALSE(location.contains("logicalLocations"));
}

/// The text with the replacements of the first fix, whose columns count code points.
std::string apply(const json& fix, const std::string& text) {
  std::vector<std::size_t> lines{0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') lines.push_back(i + 1);
  }
  const auto offset = [&](const json& region, const char* line, const char* column) {
    std::size_t at = lines.at(region[line].get<std::size_t>() - 1);
    for (auto left = region[column].get<std::size_t>() - 1; left > 0; --left) {
      ++at;
      while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0U) == 0x80U) ++at;
    }
    return at;
  };
  std::string fixed = text;
  const json& replacements = fix["artifactChanges"][0]["replacements"];
  for (auto each = replacements.rbegin(); each != replacements.rend(); ++each) {
    const json& region = (*each)["deletedRegion"];
    const std::size_t begin = offset(region, "startLine", "startColumn");
    const std::size_t end = offset(region, "endLine", "endColumn");
    fixed.replace(begin, end - begin,
                  each->contains("insertedContent")
                      ? (*each)["insertedContent"]["text"].get<std::string>()
                      : "");
  }
  return fixed;
}

class SarifFixes : public test::Binary {
 protected:
  /// The text after the fix of the one finding of the rule; "" if it has none.
  std::string fixed(const std::string& rule, const std::string& text,
                    const std::string& flags = "") {
    const std::string file = write("pod.yaml", text);
    const json log = json::parse(run("check -o sarif" + flags + " -f " + file).out);
    std::string made = "not found";
    for (const json& result : log["runs"][0]["results"]) {
      if (result["ruleId"] != rule) continue;
      EXPECT_EQ(made, "not found");
      made = result.contains("fixes") ? apply(result["fixes"][0], text) : "";
    }
    return made;
  }
};

constexpr const char* kHead =
    "apiVersion: v1\n"
    "kind: Pod\n"
    "metadata: {name: web}\n"
    "spec:\n"
    "  os: {name: windows}\n";

TEST_F(SarifFixes, RemoveAField) {
  const std::string head = kHead;
  const std::string end = "  containers: [{name: a, image: a}]\n";
  EXPECT_EQ(
      fixed("fs-group",
            head + "  securityContext:\n    runAsNonRoot: true\n    fsGroup: 1  # why\n" + end),
      head + "  securityContext:\n    runAsNonRoot: true\n" + end)
      << "a line";
  EXPECT_EQ(fixed("selinux-options", head +
                                         "  securityContext:\n    runAsNonRoot: true\n"
                                         "    seLinuxOptions:\n      level: a\n      user: b\n" +
                                         end),
            head + "  securityContext:\n    runAsNonRoot: true\n" + end)
      << "several lines";
  EXPECT_EQ(fixed("fs-group",
                  head +
                      "  securityContext: {windowsOptions: {runAsUserName: \"\u00e9\u4e2d\"}, "
                      "fsGroup: 1}\n" +
                      end),
            head + "  securityContext: {windowsOptions: {runAsUserName: \"\u00e9\u4e2d\"}}\n" + end)
      << "behind other characters than ASCII";
}

TEST_F(SarifFixes, AddPlacementWhereNothingElseDoes) {
  const std::string placed =
      fixed("advice-unplaced", std::string(kHead) + "  containers: [{name: a, image: a}]\n",
            " --no-mutate");
  EXPECT_NE(placed.find("  nodeSelector:\n    kubernetes.io/os: windows\n"), std::string::npos)
      << placed;
  EXPECT_NE(placed.find("  tolerations:\n"), std::string::npos) << placed;
}

TEST_F(SarifFixes, AreNotOfferedWhereWinadmitFixKeepsTheField) {
  const std::string head = kHead;
  EXPECT_EQ(fixed("host-pid", head + "  hostPID: true\n  containers: [{name: a, image: a}]\n"), "")
      << "it asks for something";
  EXPECT_EQ(fixed("capabilities-drop",
                  "apiVersion: v1\nkind: Pod\nmetadata: {name: web}\nspec:\n"
                  "  nodeSelector: {kubernetes.io/os: windows}\n  containers:\n"
                  "  - {name: a, image: a, securityContext: {capabilities: {drop: [ALL]}}}\n"),
            "")
      << "Pod Security asks for it";
  const std::string shared = "  securityContext: &c {fsGroup: 1}\n";
  EXPECT_EQ(fixed("fs-group",
                  head + shared + "  containers: [{name: a, image: a}]\n" + "metadata2: *c\n"),
            "")
      << "another place shares it";
}

TEST_F(SarifFixes, AreNotOfferedInALargeDocument) {
  const std::string text = std::string(kHead) +
                           "  securityContext: {fsGroup: 1}\n"
                           "  containers: [{name: a, image: a}]\n";
  EXPECT_NE(fixed("fs-group", text), "");
  EXPECT_EQ(fixed("fs-group", text + "# " + std::string(std::size_t{64} << 10U, 'x') + '\n'), "");
}

TEST_F(SarifFixes, AreOfferedForTheFirstHundredFindingsOfADocument) {
  const auto pod = [](const std::string& indent) {
    std::string text = indent + "apiVersion: v1\n" + indent + "kind: Pod\n" + indent +
                       "metadata: {name: web}\n" + indent + "spec:\n" + indent +
                       "  os: {name: windows}\n" + indent + "  containers:\n";
    for (int i = 0; i < 60; ++i)
      text += indent + "  - {name: c" + std::to_string(i) +
              ", image: a, securityContext: {seLinuxOptions: {level: a}}}\n";
    return text;
  };
  const auto count = [&](const std::string& text) {
    const json log = json::parse(run("check -o sarif -f " + write("pods.yaml", text)).out);
    return std::ranges::count_if(log["runs"][0]["results"],
                                 [](const json& each) { return each.contains("fixes"); });
  };
  std::string list = "apiVersion: v1\nkind: List\nitems:\n";
  for (int i = 0; i < 2; ++i) list += pod("  ").replace(0, 2, "- ");
  EXPECT_EQ(count(list), 100);
  EXPECT_EQ(count(list + "---\n" + pod("")), 160);
}

TEST(SarifReport, SaysWhereSomethingCannotBeRead) {
  std::ostringstream out;
  const auto report = make_report("sarif", out, {});
  report->begin();
  const manifests::Location at{.file = "a.yaml", .line = 3, .column = 5, .text = "\u00e4: [x"};
  report->error({.what = "[click](b) {0}", .location = at});
  report->error({.what = "no objects found", .location = {}});
  report->end({});
  const auto log = nlohmann::json::parse(out.str());
  EXPECT_EQ(log["runs"][0]["invocations"][0]["toolExecutionNotifications"],
            nlohmann::json::parse(R"([
    {"level": "error", "message": {"text": "[click\\](b) {{0}}"}, "locations": [{"physicalLocation":
      {"artifactLocation": {"uri": "a.yaml"}, "region": {"startLine": 3, "startColumn": 4}}}]},
    {"level": "error", "message": {"text": "no objects found"}}])"));
}

}  // namespace
}  // namespace winadmit::cli
