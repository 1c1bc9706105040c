// Each file in tests/data/rules is a pod, and its name states what the policy must report for it.
// tests/data/rules/README.md describes the names.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/policy.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

struct CaseFile {
  std::filesystem::path file;
  std::string rule;     // the folder
  std::string verdict;  // deny, warn or allow
  std::string name;     // between the verdict and the version
  Version version = kNewestVersion;
  bool strict = false;

  bool has_finding() const { return verdict != "allow"; }
};

/// "warn.runtime-default@1.19.json"
CaseFile read_name(const std::filesystem::path& file) {
  CaseFile made{
      .file = file, .rule = file.parent_path().filename().string(), .verdict = {}, .name = {}};
  std::string stem = file.stem().string();
  if (const std::size_t at = stem.find('@'); at != stem.npos) {
    made.version = parse_version(stem.substr(at + 1)).value();
    stem.resize(at);
  }
  const std::size_t dot = stem.find('.');
  made.verdict = stem.substr(0, dot);
  made.name = dot == stem.npos ? std::string() : stem.substr(dot + 1);
  made.strict = made.name.starts_with("strict-");
  return made;
}

const std::vector<CaseFile>& cases() {
  static const std::vector<CaseFile> kCases = [] {
    std::vector<CaseFile> found;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::data("rules"))) {
      if (entry.path().extension() == ".json") found.push_back(read_name(entry.path()));
    }
    std::ranges::sort(found, {}, &CaseFile::file);
    return found;
  }();
  return kCases;
}

Settings settings_of(const CaseFile& one) {
  Settings settings;
  settings.kubernetes = one.version;
  settings.strict = one.strict;
  return settings;
}

/// The result of a case. Findings borrow from the parser and the policy.
class Judged {
 public:
  explicit Judged(const CaseFile& one) : Judged(one, settings_of(one)) {}
  Judged(const CaseFile& one, Settings settings) : policy_(std::move(settings)) {
    const Pod pod = read_pod(parser_.load(one.file.string()), *find_pod_kind("Pod"),
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

void PrintTo(const CaseFile& one, std::ostream* out) {  // NOLINT: googletest names it
  *out << one.rule << '/' << one.file.filename().string();
}

class RuleCase : public testing::TestWithParam<CaseFile> {};

TEST_P(RuleCase, Verdict) {
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

std::string test_name(const testing::TestParamInfo<CaseFile>& info) {
  const CaseFile& one = info.param;
  std::string name = one.rule + "__" + one.file.stem().string();
  if (const std::size_t at = name.find('@'); at != name.npos) name.replace(at, 1, "_at_");
  std::ranges::replace_if(name, [](char letter) { return letter == '-' || letter == '.'; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Rules, RuleCase, testing::ValuesIn(cases()), test_name);

TEST(RuleCases, HaveValidNames) {
  for (const CaseFile& one : cases()) {
    EXPECT_TRUE(one.verdict == "deny" || one.verdict == "warn" || one.verdict == "allow")
        << one.file;
    EXPECT_FALSE(one.name.empty()) << one.file;
    EXPECT_LE(one.version, kNewestVersion) << one.file;
    EXPECT_GE(one.version, kOldestVersion) << one.file;
    EXPECT_TRUE(std::ranges::any_of(rules(), [&](const Rule& rule) { return rule.id == one.rule; }))
        << one.file << ": no rule has the id " << one.rule;
  }
}

TEST(RuleCases, CoverEachRuleWithAndWithoutAFinding) {
  for (const Rule& rule : rules()) {
    const auto has = [&](bool has_finding) {
      return std::ranges::any_of(cases(), [&](const CaseFile& one) {
        return one.rule == rule.id && one.has_finding() == has_finding;
      });
    };
    EXPECT_TRUE(has(true)) << "add a case tests/data/rules/" << rule.id
                           << "/deny.*.json or warn.*.json";
    EXPECT_TRUE(has(false)) << "add a case tests/data/rules/" << rule.id << "/allow.*.json";
  }
}

bool is_instead_of(const Rule& rule, std::string_view instead) {
  return instead == rule.instead || (rule.is_set_by_scc && instead == rule.instead_with_spec_os);
}

TEST(RuleCases, CoverEachRow) {
  std::set<const Rule*> matched;
  for (const CaseFile& one : cases()) {
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
  for (const CaseFile& one : cases()) {
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
            << one.file << " in " << to_string(version) << ": " << finding.source;
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
            cases(), [&](const CaseFile& one) { return one.rule == id && one.version == side; }))
            << id << " changes in " << to_string(release) << ": no case for " << to_string(side);
      }
    }
  }
}

}  // namespace
}  // namespace winadmit
