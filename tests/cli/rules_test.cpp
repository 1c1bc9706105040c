// `winadmit rules`.
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "policy/rules/version.hpp"
#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

using test::Result;

class RulesCommand : public test::Binary {};

TEST_F(RulesCommand, PrintsTheSameRulesInEachFormat) {
  const Result json = run("rules -o json");
  EXPECT_EQ(json.exit_code, 0);
  const auto rules = nlohmann::json::parse(json.out);
  ASSERT_TRUE(rules.is_array());
  const std::string table = run("rules").out, markdown = run("rules -o markdown").out;
  for (const auto& rule : rules) {
    const auto id = rule["id"].get<std::string>();
    EXPECT_NE(table.find(id), std::string::npos) << id;
    EXPECT_NE(markdown.find(id), std::string::npos) << id;
  }
  const auto memory = std::ranges::find(rules, "advice-memory", [](const auto& rule) {
    return rule["id"].template get<std::string>();
  });
  ASSERT_NE(memory, rules.end());
  EXPECT_EQ((*memory)["action"], "off");
  for (const char* format : {"table", "json", "markdown"}) {
    const std::string flags = std::string("rules -o ") + format + " --kubernetes-version ";
    EXPECT_EQ(run(flags + "1.32").out.find("pod-resize"), std::string::npos) << format;
    EXPECT_NE(run(flags + "1.33").out.find("pod-resize"), std::string::npos) << format;
    EXPECT_EQ(run(flags + to_string(kNewestVersion)).out.find("termination-grace-period"),
              std::string::npos)
        << format;
  }
  EXPECT_EQ(run("rules -o yaml").exit_code, 2);
  EXPECT_EQ(run("rules --kubernetes-version one").exit_code, 2);
  EXPECT_EQ(run("rules --kubernetes-version 1.23").out.find("ith spec.os"), std::string::npos)
      << "no such release reads spec.os";
  EXPECT_NE(run("rules --kubernetes-version 1.24").out.find("ith spec.os"), std::string::npos);
  EXPECT_LT(nlohmann::json::parse(run("rules -o json --kubernetes-version 1.14").out).size(),
            rules.size());
}

TEST_F(RulesCommand, PrintsWhatChangesBetweenReleases) {
  const auto changes = nlohmann::json::parse(run("rules --diff 1.19 1.20 -o json").out);
  const auto change_of = [&](const std::string& id) -> std::string {
    for (const auto& each : changes) {
      if (each["id"] == id) return each["change"];
    }
    return "";
  };
  EXPECT_EQ(change_of("sub-path"), "ended");
  EXPECT_EQ(change_of("nonroot-admin-conflict"), "added");
  EXPECT_EQ(change_of("annotation-apparmor"), "changed");
  EXPECT_EQ(change_of("host-pid"), "");
  EXPECT_NE(run("rules --since 1.34").out.find("volume-git-repo"), std::string::npos);
  EXPECT_EQ(run("rules --since 1.34 -o markdown").exit_code, 2);
  EXPECT_EQ(run("rules --diff 1.30 1.30").out, "Kubernetes 1.30 to 1.30: 0 changes\n");
  EXPECT_EQ(run("rules --diff 1.30").exit_code, 2);
  EXPECT_EQ(run("rules --since 1.30 --kubernetes-version 1.33").out,
            run("rules --diff 1.30 1.33").out);
  EXPECT_EQ(run("rules --since old").exit_code, 2);
  EXPECT_EQ(run("rules --since 1.13").exit_code, 2);
  EXPECT_EQ(run("rules --kubernetes-version 0.1").exit_code, 2);
  const Result unknown = run("rules --diff 0.9 1.20");
  EXPECT_EQ(unknown.exit_code, 2);
  EXPECT_EQ(unknown.err, "winadmit: --diff must be Kubernetes 1.14 or later, not '0.9'\n");
  EXPECT_EQ(run("rules --since 1.30 --diff 1.30 1.31").exit_code, 2);
}

TEST_F(RulesCommand, PrintsChangesThatAgreeWithTheTables) {
  const auto ids = [&](const std::string& flags) {
    std::set<std::string> found;
    for (const auto& each : nlohmann::json::parse(run("rules -o json " + flags).out))
      found.insert(each["id"]);
    return found;
  };
  for (Version from = kOldestVersion; from < kNewestVersion; ++from.minor) {
    const Version to{from.major, from.minor + 1};
    const std::string releases = to_string(from) + ' ' + to_string(to);
    const auto changed = ids("--diff " + releases);
    const auto before = ids("--kubernetes-version " + to_string(from));
    const auto after = ids("--kubernetes-version " + to_string(to));
    std::set<std::string> differ;
    std::ranges::set_symmetric_difference(before, after, std::inserter(differ, differ.end()));
    EXPECT_TRUE(std::ranges::includes(changed, differ)) << releases;
  }
}

}  // namespace
}  // namespace winadmit
