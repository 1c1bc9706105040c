// The end-to-end tests evaluate the expressions in an API server; these tests check what they
// contain.
#include "export/cel/match_conditions.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>

#include "policy/judge/advice_kinds.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/pod_kind.hpp"
#include "tests/text.hpp"

namespace winadmit {
namespace {

using test::contains;

std::string for_pods(const Settings& settings = {}) {
  return may_be_windows(settings, false).expression;
}

Settings on_any_platform() {
  Settings settings;
  settings.target.windows_labels = windows_labels_of(*find_platform("any"));
  return settings;
}

TEST(MatchConditions, ReadTheLabelsThatSignalWindows) {
  for (const std::string_view label : {kOsLabel, kBetaOsLabel, kWindowsBuildLabel}) {
    EXPECT_TRUE(contains(for_pods(), '\'' + std::string(label) + '\'')) << label;
  }
}

TEST(MatchConditions, HoldTheConfiguredRuntimeClassesAsJson) {
  EXPECT_TRUE(contains(for_pods(), "pod.spec.runtimeClassName in []"));
  Settings settings;
  settings.target.windows_runtime_classes = {"windows-2022", "a\"b\\"};
  EXPECT_TRUE(contains(for_pods(settings), R"(runtimeClassName in ["windows-2022","a\"b\\"])"));
}

TEST(MatchConditions, HoldTheTaintsOfTolerationsAndOfBuildsAsJson) {
  Settings settings;
  settings.tolerations = {{.key = "sku", .value = "windows", .effect = ""}};
  settings.tolerations_by_build = {
      {"10.0.20348", {{.key = "sku", .value = "2022", .effect = ""}}},
      {"10.0.26100", {{.key = "os", .op = "Exists", .value = "", .effect = ""}}}};
  const std::string taints = R"({"os":[""],"sku":["2022","windows"]})";
  EXPECT_TRUE(contains(
      for_pods(settings),
      "t.key in " + taints + " && (has(t.value) ? t.value : '') in " + taints + "[t.key]"));
}

TEST(MatchConditions, HoldTheLabelsOfWindowsNodesAsJson) {
  Settings settings;
  settings.target.windows_labels = {{"pool", {{"win", ""}, {"win2022", "10.0.20348"}}},
                                    {"disk", {{"ntfs", ""}}}};
  const std::string labels = R"({"disk":["ntfs"],"pool":["win","win2022"]})";
  EXPECT_TRUE(contains(for_pods(settings), labels +
                                               ".exists(label, label in pod.spec.nodeSelector &&\n"
                                               "      pod.spec.nodeSelector[label] in " +
                                               labels + "[label])"));
  EXPECT_TRUE(contains(for_pods(settings), "e.key in " + labels + " && has(e.values) && ("));
  EXPECT_TRUE(
      contains(for_pods(settings), "e.values.exists(value, value in " + labels + "[e.key])"));
}

TEST(MatchConditions, DifferBetweenConfigurationsOnlyInTheirLiterals) {
  Settings settings = on_any_platform();
  settings.target.windows_runtime_classes = {"windows-2022"};
  settings.actions.emplace(std::string(kAdviceHint), Action::allow);
  const auto without = [](const Settings& of, std::string_view json) {
    std::string text = for_pods(of);
    for (std::size_t at; (at = text.find(json)) != text.npos;) text.erase(at, json.size());
    return text;
  };
  const std::string labels = nlohmann::json::parse(R"({
      "cloud.google.com/gke-os-distribution": ["windows_ltsc", "windows_sac"]})")
                                 .dump();
  settings.target.windows_labels = {
      {"cloud.google.com/gke-os-distribution", {{"windows_ltsc", ""}, {"windows_sac", ""}}}};
  std::string configured = without(settings, labels);
  const std::string classes = R"(in ["windows-2022"])";
  configured.replace(configured.find(classes), classes.size(), "in []");
  EXPECT_EQ(configured, without({}, "{}"));
}

TEST(MatchConditions, MatchEveryWindowsOnlyRepository) {
  for (const std::string_view repository : windows_only_repositories()) {
    std::string pattern;
    for (const char c : repository) pattern += c == '.' ? std::string("[.]") : std::string(1, c);
    EXPECT_TRUE(contains(for_pods(), pattern)) << repository;
  }
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
  EXPECT_TRUE(contains(expression, "[held]")) << "a webhook may have both pods and workloads";
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
