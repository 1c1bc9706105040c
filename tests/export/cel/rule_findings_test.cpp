// What the expressions contain. The end-to-end tests compare their results with the server's.
#include "export/cel/rule_findings.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "export/cel/kind_findings.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/rules/predicates.hpp"
#include "tests/text.hpp"

namespace winadmit {
namespace {

using test::contains;

const Rule& row(std::string_view id, Version version = kNewestVersion) {
  return *std::ranges::find_if(
      rules(), [&](const Rule& rule) { return rule.id == id && rule.versions.contains(version); });
}

/// "$pod": only the end of a regular expression may have a dollar.
bool has_placeholder(const std::string& text) {
  for (std::size_t at = text.find('$'); at != text.npos; at = text.find('$', at + 1)) {
    if (at + 1 < text.size() && std::isalpha(static_cast<unsigned char>(text[at + 1])) != 0) {
      return true;
    }
  }
  return false;
}

TEST(RuleFindings, HaveAnExpressionForEveryRowOfEveryRelease) {
  for (const bool strict : {false, true}) {
    for (int minor = kOldestVersion.minor; minor <= kNewestVersion.minor; ++minor) {
      Settings settings;
      settings.strict = strict;
      settings.kubernetes = {1, minor};
      for (const Rule& rule : rules()) {
        if (!rule.versions.contains(settings.kubernetes)) continue;
        const bool judges = strict || rule.forbids.matches != never_matches;
        const auto findings = rule_findings(rule, settings, Judged::added);
        EXPECT_EQ(!findings.empty(), judges) << rule.id;
        for (const CelFinding& each : findings) {
          EXPECT_TRUE(contains(each.places, "variables.")) << rule.id;
          EXPECT_FALSE(has_placeholder(each.places)) << rule.id << ": " << each.places;
        }
      }
    }
  }
}

TEST(RuleFindings, JudgeTheFieldOfTheRow) {
  const auto findings = rule_findings(row("host-pid"), {}, Judged::all);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(contains(findings[0].places, "variables.pod.spec.?hostPID.orValue(false)"));
  EXPECT_TRUE(contains(findings[0].places, "['spec.hostPID']"));
  EXPECT_TRUE(findings[0].has_one_place);
  EXPECT_EQ(findings[0].action, Action::deny);
  EXPECT_TRUE(findings[0].text.ends_with(" (host-pid)"));
}

TEST(RuleFindings, JudgeThePodAndItsContainersApart) {
  const auto findings = rule_findings(row("run-as-user"), {}, Judged::all);
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_TRUE(contains(findings[0].places, "['spec.securityContext.runAsUser']"));
  EXPECT_TRUE(contains(findings[1].places, "'securityContext.runAsUser of container '"));
}

TEST(RuleFindings, CompareWithTheSameFieldOfTheOldPod) {
  const Rule& rule = row("read-only-root-filesystem");
  const std::string known =
      "o.?securityContext.?readOnlyRootFilesystem == c.?securityContext.?readOnlyRootFilesystem";
  EXPECT_FALSE(contains(rule_findings(rule, {}, Judged::all)[0].places, known));
  EXPECT_TRUE(contains(rule_findings(rule, {}, Judged::added)[0].places, known));
  EXPECT_TRUE(contains(rule_findings(rule, {}, Judged::existing)[0].places, known));
  EXPECT_TRUE(contains(rule_findings(rule, {}, Judged::added)[0].places, "!variables.old."));
  EXPECT_FALSE(contains(rule_findings(rule, {}, Judged::existing)[0].places, "!variables.old."));
}

TEST(RuleFindings, CompareMountsByTheirPath) {
  EXPECT_TRUE(contains(rule_findings(row("mount-propagation"), {}, Judged::added)[0].places,
                       "p.?mountPath == e.?mountPath"));
}

TEST(RuleFindings, TakeTheConfiguredAction) {
  Settings settings;
  settings.actions = {{"host-pid", Action::warn},
                      {"host-ipc", Action::allow},
                      {"read-only-root-filesystem", Action::strip}};
  EXPECT_EQ(rule_findings(row("host-pid"), settings, Judged::all)[0].action, Action::warn);
  EXPECT_TRUE(rule_findings(row("host-ipc"), settings, Judged::all).empty());
  EXPECT_EQ(rule_findings(row("read-only-root-filesystem"), settings, Judged::all)[0].action,
            Action::warn);
}

TEST(RuleFindings, DenyMoreValuesUnderStrict) {
  Settings settings;
  settings.strict = true;
  const auto findings = rule_findings(row("host-network"), settings, Judged::all);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(contains(findings[0].places, "hostNetwork.hasValue()"));
  // A row that warns denies the values of strict, and warns about the others.
  const auto both = rule_findings(row("fs-group-change-policy"), settings, Judged::all);
  ASSERT_EQ(both.size(), 1U);
  EXPECT_EQ(both[0].action, Action::deny);
}

TEST(RuleFindings, WarnUnderStrictOfWhatIsNotDeniedAlone) {
  Settings settings;
  settings.strict = true;
  std::size_t rows = 0;
  for (int minor = kOldestVersion.minor; minor <= kNewestVersion.minor; ++minor) {
    settings.kubernetes = {1, minor};
    for (const Rule& rule : rules()) {
      const auto findings = rule_findings(rule, settings, Judged::all);
      const std::size_t places = rule.scope == Scope::pod_and_containers ? 2 : 1;
      if (findings.size() <= places) continue;
      ++rows;
      for (std::size_t i = 1; i < findings.size(); i += 2)
        EXPECT_TRUE(contains(findings[i].places, " && !")) << rule.id << ": " << findings[i].places;
    }
  }
  EXPECT_GT(rows, 0U);
}

TEST(RuleFindings, SayWhereCelDiffersFromTheServer) {
  std::size_t differing = 0;
  for (const Rule& rule : rules()) differing += cel_differences(rule).size();
  EXPECT_EQ(differing, 1U);
}

TEST(RuleFindings, LeaveOutARowThatCelCannotSay) {
  Rule rule = row("host-pid");
  rule.unless = {[](const Context&) { return false; }, Cel::none("it is a secret"), "never"};
  EXPECT_TRUE(rule_findings(rule, {}, Judged::all).empty());
  EXPECT_EQ(cel_differences(rule), std::vector<std::string>{"it is a secret"});
}

TEST(KindFindings, AreTheDenialsAndNoAdvice) {
  for (const AdviceKind& kind : advice_kinds()) {
    EXPECT_EQ(has_cel(kind.id), !kind.id.starts_with("advice-")) << kind.id;
  }
  for (const CelFinding& each : kind_findings({}, Judged::added)) {
    EXPECT_EQ(each.action, Action::deny) << each.id;
    EXPECT_FALSE(has_placeholder(each.places)) << each.id << ": " << each.places;
  }
  Settings settings;
  settings.kubernetes = {1, 32};  // without pods/resize
  EXPECT_EQ(kind_findings(settings, Judged::all).size(), 1U);
}

}  // namespace
}  // namespace winadmit
