// Each case of tests/data/rules is a pod, and what the policy must report for it.
#include "tests/rule_cases.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/policy.hpp"

namespace winadmit {
namespace {

using test::RuleCase;

const std::vector<RuleCase>& cases() {
  static const std::vector<RuleCase> kCases = test::rule_cases();
  return kCases;
}

Settings settings_of(const RuleCase& one) {
  Settings settings;
  settings.kubernetes = one.version;
  settings.strict = one.strict();
  return settings;
}

/// The result of a case. Findings borrow from the parser and the policy.
class Judged {
 public:
  explicit Judged(const RuleCase& one) : Judged(one, settings_of(one)) {}
  Judged(const RuleCase& one, Settings settings) : policy_(std::move(settings)) {
    const Pod pod = read_pod(parser_.parse(one.pod.dump()), *find_pod_kind("Pod"),
                             policy_.settings().target.windows_labels);
    const Target target = find_target(pod, policy_.settings().target);
    os = target.os;
    FindingCollector all;
    errors = policy_.validate(pod, target, all);
    findings = all.extract().kept;
  }

  Os os = Os::none;
  std::vector<Finding> findings;
  FieldErrors errors;

 private:
  simdjson::dom::parser parser_;
  Policy policy_;
};

class Case : public testing::TestWithParam<RuleCase> {};

TEST_P(Case, Verdict) {
  const Judged judged(GetParam());
  ASSERT_EQ(judged.os, Os::windows) << "a case must be a pod for Windows";
  for (const FieldError& error : judged.errors.kept()) {
    ADD_FAILURE() << error.path << ": " << error.what;
  }
  EXPECT_EQ(!judged.findings.empty(), GetParam().has_finding());
  for (const Finding& finding : judged.findings) {
    EXPECT_EQ(finding.id, GetParam().rule) << finding.message();
    EXPECT_EQ(to_string(finding.action), GetParam().verdict) << finding.message();
  }
}

std::string test_name(const testing::TestParamInfo<RuleCase>& info) {
  std::string name;
  for (const char letter : info.param.label()) {
    if (letter == '/') {
      name += "__";
    } else if (letter == '@') {
      name += "_at_";
    } else {
      name += letter == '-' || letter == '.' ? '_' : letter;
    }
  }
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rules, Case, testing::ValuesIn(cases()), test_name);

TEST(RuleCases, HaveValidNames) {
  for (const RuleCase& one : cases()) {
    EXPECT_TRUE(one.verdict == "deny" || one.verdict == "warn" || one.verdict == "allow")
        << one.label();
    EXPECT_FALSE(one.name.empty()) << one.label();
    EXPECT_LE(one.version, kNewestVersion) << one.label();
    EXPECT_GE(one.version, kOldestVersion) << one.label();
    EXPECT_TRUE(std::ranges::any_of(rules(), [&](const Rule& rule) { return rule.id == one.rule; }))
        << one.label() << ": no rule has the id " << one.rule;
  }
}

TEST(RuleCases, CoverEachRuleWithAndWithoutAFinding) {
  for (const Rule& rule : rules()) {
    const auto has = [&](bool has_finding) {
      return std::ranges::any_of(cases(), [&](const RuleCase& one) {
        return one.rule == rule.id && one.has_finding() == has_finding;
      });
    };
    EXPECT_TRUE(has(true)) << "add a case to tests/data/rules/" << rule.id << ".json: deny or warn";
    EXPECT_TRUE(has(false)) << "add a case to tests/data/rules/" << rule.id << ".json: allow";
  }
}

bool is_instead_of(const Rule& rule, std::string_view instead) {
  return instead == rule.instead || (rule.is_set_by_scc && instead == rule.instead_with_spec_os);
}

TEST(RuleCases, CoverEachRow) {
  std::set<const Rule*> matched;
  for (const RuleCase& one : cases()) {
    if (!one.has_finding()) continue;
    const Judged judged(one);
    for (const Finding& finding : judged.findings) {
      for (const Rule& rule : rules()) {
        if (rule.id == finding.id && rule.versions.contains(one.version) &&
            finding.reason == rule.reason && is_instead_of(rule, finding.instead)) {
          matched.insert(&rule);
        }
      }
    }
  }
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(matched.contains(&rule)) << "no case matches the row " << rule.id << " on "
                                         << rule.field << " in " << to_string(rule.versions);
  }
}

TEST(RuleCases, HaveFindingsWithTheSourceOfTheRowInForce) {
  for (const RuleCase& one : cases()) {
    for (const Version version : {kOldestVersion, Version{1, 16}, Version{1, 20}, kPodOsVersion,
                                  Version{1, 33}, kNewestVersion}) {
      Settings settings = settings_of(one);
      settings.kubernetes = version;
      for (const Finding& finding : Judged(one, settings).findings) {
        if (std::ranges::find(rules(), finding.id, &Rule::id) == rules().end()) continue;
        EXPECT_TRUE(std::ranges::any_of(rules(),
                                        [&](const Rule& rule) {
                                          return rule.id == finding.id &&
                                                 rule.versions.contains(version) &&
                                                 rule.reason == finding.reason &&
                                                 rule.source == finding.source;
                                        }))
            << one.label() << " in " << to_string(version) << ": " << finding.source;
      }
    }
  }
}

TEST(RuleCases, CoverBothSidesOfEachVersionChange) {
  std::map<std::string_view, std::set<Version>> changes;  // by rule: the first release of each row
  for (const Rule& rule : rules()) {
    const Version after{rule.versions.last.major, rule.versions.last.minor + 1};
    if (rule.versions.first > kOldestVersion) changes[rule.id].insert(rule.versions.first);
    if (after <= kNewestVersion) changes[rule.id].insert(after);
  }
  for (const auto& [id, releases] : changes) {
    for (const Version release : releases) {
      for (const Version side : {Version{release.major, release.minor - 1}, release}) {
        EXPECT_TRUE(std::ranges::any_of(
            cases(), [&](const RuleCase& one) { return one.rule == id && one.version == side; }))
            << id << " changes in " << to_string(release) << ": no case for " << to_string(side);
      }
    }
  }
}

}  // namespace
}  // namespace winadmit
