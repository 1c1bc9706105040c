// The parts of the schema of SARIF 2.1.0 that the report uses:
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/report/removal.hpp"
#include "cli/rule_ids.hpp"
#include "tests/cli/binary.hpp"
#include "tests/cli/report/reports.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

json log_of(const ManifestFinding& finding) {
  return json::parse(test::report_of(finding, "sarif"));
}

TEST(SarifReport, DescribesEveryRuleOnce) {
  const json log = log_of(test::hostile_finding());
  EXPECT_EQ(log["version"], "2.1.0");
  std::set<std::string> ids;
  for (const json& rule : log["runs"][0]["tool"]["driver"]["rules"]) {
    EXPECT_TRUE(ids.insert(rule["id"]).second) << rule["id"];
    EXPECT_FALSE(rule["shortDescription"]["text"].get<std::string>().empty()) << rule["id"];
    const std::string help = rule.value("helpUri", "https://");
    EXPECT_TRUE(help.starts_with("https://")) << help;
  }
  EXPECT_EQ(ids, std::set<std::string>(rule_ids().begin(), rule_ids().end()));
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

class SarifFixes : public test::Binary {
 protected:
  /// Whether there is a fix for the field, which must be on line 2 of the file.
  bool has_fix(const std::string& field, const std::string& line, const std::string& next = "") {
    const std::string file = write("pod.yaml", "spec:\n" + line + '\n' + next + '\n');
    ManifestFinding finding = test::hostile_finding();
    finding.location = {.file = file, .line = 2, .column = static_cast<int>(line.find(field)) + 1};
    finding.field = "spec." + field;
    finding.rule = "ctr-run-as-user";
    const json log = log_of(finding);
    const json& result = log["runs"][0]["results"][0];
    if (!result.contains("fixes")) return false;
    const json& change = result["fixes"][0]["artifactChanges"][0];
    EXPECT_EQ(change["replacements"][0]["deletedRegion"],
              json({{"startLine", 2}, {"startColumn", 1}, {"endLine", 3}, {"endColumn", 1}}));
    return true;
  }
};

TEST_F(SarifFixes, RemoveALineWithNothingElse) {
  EXPECT_TRUE(has_fix("runAsUser", "  runAsUser: 1000"));
  EXPECT_TRUE(has_fix("runAsUser", "  runAsUser: \"1000\"  # root"));
  EXPECT_TRUE(has_fix("runAsUser", "  runAsUser: 1000", "  runAsGroup: 1"));
}

TEST_F(SarifFixes, AreNotOfferedWhereALineIsMoreOrLessThanTheField) {
  EXPECT_FALSE(has_fix("runAsUser", "  {runAsUser: 1000, runAsGroup: 2}"));
  EXPECT_FALSE(has_fix("runAsUser", "  - runAsUser: 1000"));
  EXPECT_FALSE(has_fix("runAsUser", "  runAsUser: [1"));
  EXPECT_FALSE(has_fix("runAsUser", "  runAsUser: |"));
  EXPECT_FALSE(has_fix("runAsUser", "  runAsUser: &a 1"));
  EXPECT_FALSE(has_fix("runAsUser", "  runAsUser: 10", "    00"));
  EXPECT_FALSE(has_fix("runAsUser", "  runAsUser:", "    1000"));
}

TEST_F(SarifFixes, AreNotOfferedWhereTheAdviceIsMoreThanToRemove) {
  ManifestFinding finding = test::hostile_finding();
  finding.location = {.file = write("pod.yaml", "runAsUser: 1\n"), .line = 1, .column = 1};
  finding.field = "runAsUser";
  finding.rule = "ctr-run-as-user";
  Removal removal;
  EXPECT_TRUE(removal.takes_one_line(finding));
  finding.instead = "set spec.os.name: windows and remove it";
  EXPECT_FALSE(removal.takes_one_line(finding));
  finding.instead = "remove it";
  finding.rule = "host-pid";
  EXPECT_FALSE(removal.takes_one_line(finding)) << "it asks for something";
}

}  // namespace
}  // namespace winadmit::cli
