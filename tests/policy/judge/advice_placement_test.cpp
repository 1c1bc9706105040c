// Advice about what a pod lacks to get a Windows node.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "policy/judge/advice_kinds.hpp"
#include "tests/policy/judge/advised.hpp"
#include "tests/policy/judge/platform_settings.hpp"

namespace winadmit {
namespace {

using test::advice;
using test::advice_on;
using test::kPlaced;
using test::kTolerationOfKep;
using test::Names;

TEST(Advice, ReportsAnUnplacedPodOnlyIfWePlaceIt) {
  const std::string selected = R"("nodeSelector":{"kubernetes.io/os":"windows"})";
  EXPECT_EQ(advice(selected), Names{"spec advice-unplaced"});
  EXPECT_EQ(advice(selected, {}, false), Names{});
  EXPECT_EQ(advice(kPlaced), Names{});
}

std::string unplaced_text(const std::string& spec, const Settings& settings) {
  const test::ParsedPod parsed('{' + spec + '}', settings.target.windows_labels);
  std::string text;
  for (const Finding& each : test::findings_on(parsed, settings)) {
    if (each.id == kAdviceUnplaced) text += each.reason;
  }
  return text;
}

std::string unplaced_text(const std::string& spec, const std::string& platform = "kep") {
  return unplaced_text(spec, test::platform_settings(platform));
}

TEST(Advice, ReportsOnlyTaintsThatKeepThePodFromItsNodes) {
  const std::string selector = R"("nodeSelector":{"kubernetes.io/os":"windows"})";
  const std::string on_a_node = selector + R"(,"nodeName":"w1")";
  const auto with_effect = [](const std::string& effect) {
    Settings settings;
    settings.tolerations = {{.key = "os", .op = "Equal", .value = "windows", .effect = effect}};
    settings.tolerations_by_build.clear();
    return settings;
  };
  EXPECT_EQ(unplaced_text(selector, with_effect("PreferNoSchedule")), "");
  EXPECT_EQ(unplaced_text(selector, with_effect("NoExecute")),
            "lacks a toleration of the taint os=windows:NoExecute, so the pod stays Pending if "
            "Windows nodes are tainted");
  EXPECT_EQ(unplaced_text(on_a_node, with_effect("PreferNoSchedule")), "");
  EXPECT_EQ(unplaced_text(on_a_node, with_effect("NoSchedule")), "") << "for the scheduler alone";
  EXPECT_EQ(unplaced_text(on_a_node, with_effect("NoExecute")),
            "lacks a toleration of the taint os=windows:NoExecute, so its node refuses or "
            "evicts the pod if it has the taint");
}

TEST(Advice, ReportsAMissingTaintOfABuildBesideOneThatIsOnlyAvoided) {
  Settings settings = test::platform_settings("any");
  settings.tolerations_by_build = {
      {"10.0.20348",
       {{.key = "os", .op = "Equal", .value = "windows", .effect = "NoSchedule"},
        {.key = "win", .op = "Equal", .value = "22", .effect = "PreferNoSchedule"}}}};
  EXPECT_EQ(
      unplaced_text(R"("nodeSelector":{"node.kubernetes.io/windows-build":"10.0.20348"})",
                    settings),
      "lacks a toleration of the taint os=windows:NoSchedule, so the pod stays Pending if Windows "
      "nodes are tainted");
}

TEST(Advice, SaysWhatAnUnplacedPodLacks) {
  const std::string spec_os = R"("os":{"name":"windows"})";
  const std::string tolerations = R"(,"tolerations":[)" + kTolerationOfKep + ']';
  const std::string of_windows =
      R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
      R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/os","operator":"In",)"
      R"("values":["windows"]}]}]}}})";
  const std::string of_2022 = R"("nodeSelector":{"node.kubernetes.io/windows-build":"10.0.20348"})";
  const std::string of_sku = R"("nodeSelector":{"kubernetes.azure.com/os-sku":"Windows2022"})";
  const std::string of_openshift = R"("nodeSelector":{"node.openshift.io/os_id":"Windows"})";
  const std::string selector = R"("nodeSelector":{"kubernetes.io/os":"windows"})";
  const std::string on_linux = ", so the pod may get a Linux node, which refuses it";
  const std::string windows_options =
      R"("securityContext":{"windowsOptions":{"runAsUserName":"ContainerUser"}})";
  const std::string lacks_selector = "lacks nodeSelector kubernetes.io/os: windows";
  const auto lacks_toleration = [](const std::string& taint) {
    return "lacks a toleration of " + taint +
           ", so the pod stays Pending if Windows nodes are tainted";
  };
  struct Case {
    std::string spec, platform, text;
  };
  const Case kCases[] = {
      {spec_os, "kep",
       lacks_selector +
           " and a toleration of the taint os=Win1809:NoSchedule, so the pod may stay Pending, "
           "or get a Linux node, which refuses it"},
      {windows_options, "kep",
       lacks_selector +
           " and a toleration of the taint os=Win1809:NoSchedule, so the pod may stay Pending "
           "or run on a Linux node"},
      {windows_options + tolerations, "kep",
       lacks_selector + ", so the pod may run on a Linux node"},
      {spec_os + tolerations, "kep", lacks_selector + on_linux},
      {selector, "kep", lacks_toleration("the taint os=Win1809:NoSchedule")},
      {of_windows, "kep", lacks_toleration("the taint os=Win1809:NoSchedule")},
      {of_windows + tolerations, "kep", ""},
      {of_2022, "kep", lacks_toleration("the taint os=Win2022:NoSchedule")},
      {of_2022, "gke", lacks_toleration("the taint node.kubernetes.io/os=windows:NoSchedule")},
      {of_2022 + R"(,"tolerations":[{"key":"os","value":"windows"}])", "eks", ""},
      {of_openshift, "openshift", lacks_toleration("the taint os=Windows:NoSchedule")},
      {spec_os, "aks", lacks_selector + on_linux},
      {spec_os, "rke2", lacks_selector + on_linux},
      {of_2022, "rke2", ""},
      {of_sku, "aks", ""},
      {of_2022, "any",
       lacks_toleration("the taint of Windows nodes, such as os=Win1809:NoSchedule")},
      {of_2022 + R"(,"tolerations":[{"key":"os","value":"windows"}])", "any", ""},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.platform + ": " + each.spec);
    EXPECT_EQ(unplaced_text(each.spec, each.platform), each.text);
  }
}

TEST(Advice, AsksForTheTaintOfAConfiguredBuildOnAnyPlatform) {
  Settings settings;
  settings.tolerations = tolerations_of(*find_platform("any"));
  settings.tolerations_are_alternatives = true;
  settings.tolerations_by_build = {
      {"10.0.20348", {{.key = "win", .value = "22", .effect = "NoSchedule"}}}};
  EXPECT_EQ(advice(R"("nodeSelector":{"node.kubernetes.io/windows-build":"10.0.20348"})", settings),
            Names{"spec advice-unplaced"});
}

TEST(Advice, SaysInMessagesWhatIsDocumented) {
  const test::ParsedPod parsed(R"({"nodeSelector":{"kubernetes.io/os":"windows"}})");
  const auto kept = test::findings_on(parsed);
  ASSERT_EQ(kept.size(), 1U);
  const AdviceKind& kind = *std::ranges::find(advice_kinds(), kAdviceUnplaced, &AdviceKind::id);
  EXPECT_EQ(kept[0].instead, kind.instead);
  EXPECT_EQ(kept[0].message(),
            "spec: lacks a toleration of the taint os=Win1809:NoSchedule, so the pod stays "
            "Pending if Windows nodes are tainted; " +
                std::string(kind.instead) + " (advice-unplaced)");
}

TEST(Advice, FindsNoPlacementMissingWhereThePodNamesItsNode) {
  const auto unplaced = [](const std::string& spec, Os default_os = Os::none) {
    return advice_on(test::ParsedPod("{" + spec + "}"), {}, /*placed_by_us=*/true, default_os);
  };
  const std::string windows = R"("os":{"name":"windows"})";
  const Names kUnplaced = {"spec advice-unplaced"};
  EXPECT_EQ(unplaced(windows), kUnplaced);
  EXPECT_EQ(unplaced(windows + R"(,"nodeName":"win1")"), Names{}) << "no scheduler sees it";
  EXPECT_EQ(unplaced(R"("nodeName":"win1")", Os::windows), Names{});
  const std::string hostname = R"(,"nodeSelector":{"kubernetes.io/hostname":"win1"})";
  EXPECT_EQ(unplaced(windows + hostname), kUnplaced) << "the toleration";
  EXPECT_EQ(unplaced(windows + hostname + R"(,"tolerations":[)" + kTolerationOfKep + ']'), Names{});
}

}  // namespace
}  // namespace winadmit
