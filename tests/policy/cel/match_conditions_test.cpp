// The end-to-end tests evaluate the expressions in an API server; these tests check what they
// contain.
#include "policy/cel/match_conditions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "policy/judge/advice.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/pod_kind.hpp"

namespace winadmit {
namespace {

std::string for_pods(const Settings& settings = {}) {
  return may_be_windows(settings, false).expression;
}

Settings on_any_platform() {
  Settings settings;
  settings.target.windows_labels = windows_labels_of(*find_platform("any"));
  return settings;
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(MatchConditions, ReadTheLabelsThatSignalWindows) {
  for (const std::string_view label : {kOsLabel, kBetaOsLabel, kWindowsBuildLabel}) {
    EXPECT_TRUE(contains(for_pods(), '\'' + std::string(label) + '\'')) << label;
  }
}

TEST(MatchConditions, ReadConfiguredRuntimeClassesAndTaints) {
  EXPECT_FALSE(contains(for_pods(), "runtimeClassName"));
  Settings settings;
  settings.target.windows_runtime_classes = {"windows-2022", "it's"};
  settings.tolerations = {{.key = "sku", .value = "windows", .effect = ""}};
  EXPECT_TRUE(contains(for_pods(settings), R"(runtimeClassName in ['windows-2022', 'it\'s'])"));
  EXPECT_TRUE(contains(for_pods(settings),
                       "t.key == 'sku' && (has(t.value) ? t.value : '') in ['windows']"));
}

TEST(MatchConditions, ReadTheLabelsOfWindowsNodes) {
  EXPECT_FALSE(contains(for_pods(), "os-sku"));
  Settings settings;
  settings.target.windows_labels = {{"pool", {{"win", ""}, {"win2022", "10.0.20348"}}}};
  EXPECT_TRUE(contains(for_pods(settings),
                       "'pool' in pod.spec.nodeSelector && pod.spec.nodeSelector['pool'] in "
                       "['win', 'win2022']"));
  EXPECT_TRUE(contains(for_pods(settings),
                       "e.key == 'pool' && has(e.values) && e.values.exists(value, value in "
                       "['win', 'win2022'])"));
}

TEST(MatchConditions, MatchEveryWindowsOnlyRepository) {
  for (const std::string_view repository : windows_only_repositories()) {
    std::string pattern;
    for (const char c : repository) pattern += c == '.' ? std::string("[.]") : std::string(1, c);
    EXPECT_TRUE(contains(for_pods(), pattern)) << repository;
  }
}

TEST(MatchConditions, LeaveOutHintsThatAreTurnedOff) {
  Settings settings;
  settings.actions.emplace(kAdviceHint, Action::allow);
  EXPECT_FALSE(contains(for_pods(settings), "tolerations"));
  EXPECT_FALSE(contains(for_pods(settings), "c.image"));
  EXPECT_TRUE(contains(for_pods(settings), "windowsOptions"));
}

TEST(MatchConditions, FindTheTemplateOfEveryWorkload) {
  const std::string expression = may_be_windows({}, true).expression;
  for (const PodKind& kind : pod_kinds()) {
    if (kind.is_pod()) continue;
    std::string path = "held";
    for (const std::string_view key : kind.template_path) path.append(".").append(key);
    const std::string choice = "has(" + path + ") ? [" + path + "]";
    const std::size_t at = expression.find(choice);
    ASSERT_NE(at, expression.npos) << kind.kind;
    EXPECT_EQ(expression.find(choice, at + 1), expression.npos) << kind.kind << ": read once";
  }
  EXPECT_FALSE(contains(for_pods(), "template"));
}

TEST(MatchConditions, BalanceTheirBrackets) {
  for (const std::string& expression :
       {for_pods(), for_pods(on_any_platform()), may_be_windows({}, true).expression,
        changes_something().expression}) {
    EXPECT_EQ(std::ranges::count(expression, '('), std::ranges::count(expression, ')'));
    EXPECT_EQ(std::ranges::count(expression, '{'), std::ranges::count(expression, '}'));
    EXPECT_EQ(std::ranges::count(expression, '\'') % 2, 0);
  }
}

}  // namespace
}  // namespace winadmit
