#include "policy/judge/placement.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/policy/judge/placed.hpp"
#include "tests/policy/judge/platform_settings.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

using test::add;
using test::kAddKep;
using test::kAddSelector;
using test::kKep;
using test::kSelector;
using test::kWin2022;
using test::placed;

TEST(Placement, AddsOnlyWhatIsMissing) {
  struct Case {
    const char* name;
    std::string spec;
    std::string expected;
  };
  const std::string os = R"("os":{"name":"windows"})";
  const Case kCases[] = {
      {"no selector and no tolerations", os, kAddSelector + kAddKep},
      {"null selector and tolerations", os + R"(,"nodeSelector":null,"tolerations":null)",
       kAddSelector + kAddKep},
      {"empty selector", os + R"(,"nodeSelector":{})",
       add("/spec/nodeSelector/kubernetes.io~1os", R"("windows")") + kAddKep},
      {"another selector", os + R"(,"nodeSelector":{"disk":"ssd"})",
       add("/spec/nodeSelector/kubernetes.io~1os", R"("windows")") + kAddKep},
      {"only the selector", kSelector, kAddKep},
      {"the beta selector", R"("nodeSelector":{"beta.kubernetes.io/os":"windows"})", kAddKep},
      {"empty tolerations", kSelector + R"(,"tolerations":[])", add("/spec/tolerations/-", kKep)},
      {"other tolerations", kSelector + R"(,"tolerations":[{"key":"a","operator":"Exists"}])",
       add("/spec/tolerations/-", kKep)},
      {"the toleration", kSelector + R"(,"tolerations":[)" + kKep + "]", ""},
      {"a toleration of everything", kSelector + R"(,"tolerations":[{"operator":"Exists"}])", ""},
      {"a toleration of the key",
       kSelector + R"(,"tolerations":[{"key":"os","operator":"Exists"}])", ""},
      {"a toleration of another value",
       kSelector + R"(,"tolerations":[{"key":"os","value":"windows"}])",
       add("/spec/tolerations/-", kKep)},
      {"a toleration of another effect",
       kSelector + R"(,"tolerations":[{"operator":"Exists","effect":"NoExecute"}])",
       add("/spec/tolerations/-", kKep)},
      {"only affinity",
       R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
       R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/os","operator":"In",)"
       R"("values":["windows"]}]}]}}})",
       kAddSelector + kAddKep},
      {"windowsOptions", R"("securityContext":{"windowsOptions":{"runAsUserName":"a"}})",
       kAddSelector + kAddKep},
      {"linux", R"("os":{"name":"linux"})", ""},
      {"conflict", os + R"(,"nodeSelector":{"kubernetes.io/os":"linux"})", ""},
      {"no signal", R"("hostPID":true)", ""},
      {"only hints",
       R"("tolerations":[)" + kKep +
           R"(],"containers":[{"image":"mcr.microsoft.com/windows/nanoserver:1809"}])",
       ""},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(placed(each.spec), each.expected);
  }
}

TEST(Placement, FollowsTheSettings) {
  Settings settings;
  settings.node_selector_key = "example.com/os~x";
  settings.tolerations = {{.key = "sku", .op = "Exists", .value = "", .effect = ""},
                          {.key = "os", .op = "Equal", .value = "w", .effect = "NoExecute"}};
  EXPECT_EQ(placed(R"("os":{"name":"windows"},"nodeSelector":{"a":"b"})", settings),
            add("/spec/nodeSelector/example.com~1os~0x", R"("windows")") +
                add("/spec/tolerations",
                    R"([{"key":"sku","operator":"Exists"},)"
                    R"({"key":"os","operator":"Equal","value":"w","effect":"NoExecute"}])"));
  EXPECT_EQ(placed(kSelector + R"(,"tolerations":[{"key":"sku","operator":"Exists"}])", settings),
            add("/spec/tolerations/-",
                R"({"key":"os","operator":"Equal","value":"w","effect":"NoExecute"})"));
}

TEST(Placement, AddsNothingTheSecondTime) {
  const Toleration a{.key = "a", .op = "Equal", .value = "x", .effect = "NoSchedule"};
  const Toleration b{.key = "b", .op = "Equal", .value = "x", .effect = "NoSchedule"};
  const Toleration c{.key = "c", .op = "Equal", .value = "x", .effect = "NoSchedule"};
  Settings settings;
  settings.tolerations_by_build = {{"10.0.17763", {a, b}}, {"10.0.20348", {a, c}}};
  for (const Toleration& fallback :
       {a, Toleration{.key = "d", .op = "Equal", .value = "x", .effect = "NoSchedule"}}) {
    settings.tolerations = {fallback};
    for (const std::string tag : {"ltsc2019", "ltsc2022", "latest"}) {
      for (const std::string own : {"", "a", "b", "c"}) {
        SCOPED_TRACE(fallback.key + ' ' + tag + ' ' + own);
        std::string tolerations;
        if (!own.empty()) {
          tolerations = R"({"key":")" + own + R"(","value":"x","effect":"NoSchedule"})";
        }
        const auto spec = [&] {
          return kSelector + R"(,"containers":[{"image":"i:)" + tag + R"("}],"tolerations":[)" +
                 tolerations + ']';
        };
        std::istringstream first(placed(spec(), settings));
        const std::string added = "add /spec/tolerations/- ";
        for (std::string line; std::getline(first, line);) {
          ASSERT_TRUE(line.starts_with(added)) << line;
          if (!tolerations.empty()) tolerations += ',';
          tolerations += line.substr(added.size());
        }
        EXPECT_EQ(placed(spec(), settings), "");
      }
    }
  }
}

std::string toleration(const std::string& key, const std::string& value) {
  return R"({"key":")" + key + R"(","operator":"Equal","value":")" + value +
         R"(","effect":"NoSchedule"})";
}

TEST(Placement, FollowsTheLabelsOfThePlatform) {
  const auto selects = [](const std::string& key, const std::string& value) {
    return R"("nodeSelector":{")" + key + R"(":")" + value + "\"}";
  };
  const std::string add_selector = add("/spec/nodeSelector/kubernetes.io~1os", R"("windows")");
  EXPECT_EQ(
      placed(selects("node.openshift.io/os_id", "Windows"), test::platform_settings("openshift")),
      add_selector + add("/spec/tolerations", '[' + toleration("os", "Windows") + ']'));
  EXPECT_EQ(placed(selects("cloud.google.com/gke-os-distribution", "windows_ltsc"),
                   test::platform_settings("gke")),
            add_selector + add("/spec/tolerations",
                               '[' + toleration("node.kubernetes.io/os", "windows") + ']'));
  EXPECT_EQ(
      placed(selects("kubernetes.azure.com/os-sku", "Windows2022"), test::platform_settings("aks")),
      add_selector);
  EXPECT_EQ(
      placed(selects("kubernetes.azure.com/os-sku", "Windows2022"), test::platform_settings("kep")),
      "");
  EXPECT_EQ(
      placed(selects("kubernetes.azure.com/os-sku", "Ubuntu"), test::platform_settings("aks")), "");

  Settings by_build = test::platform_settings("kep");
  by_build.target.windows_labels = windows_labels_of(*find_platform("aks"));
  EXPECT_EQ(placed(selects("kubernetes.azure.com/os-sku", "Windows2022"), by_build),
            add_selector + add("/spec/tolerations", '[' + kWin2022 + ']'))
      << "the label names the build";
}

TEST(Placement, ToleratesTheTaintsOfThePlatform) {
  const std::string with_build =
      R"("nodeSelector":{"kubernetes.io/os":"windows","node.kubernetes.io/windows-build":)"
      R"("10.0.20348"})";
  struct Case {
    std::string platform, added, added_with_build;
  };
  const std::string all = toleration("os", "Win1809") + ',' + toleration("os", "Win2022") + ',' +
                          toleration("os", "Win2025") + ',' + toleration("os", "windows") + ',' +
                          toleration("node.kubernetes.io/os", "windows") + ',' +
                          toleration("os", "Windows");
  const Case kCases[] = {
      {"kep", kKep, kWin2022},
      {"kubernetes", toleration("os", "windows"), toleration("os", "windows")},
      {"eks", toleration("os", "windows"), toleration("os", "windows")},
      {"gke", toleration("node.kubernetes.io/os", "windows"),
       toleration("node.kubernetes.io/os", "windows")},
      {"openshift", toleration("os", "Windows"), toleration("os", "Windows")},
      {"aks", "", ""},
      {"rke2", "", ""},
      {"any", all, all},
  };
  EXPECT_EQ(std::size(kCases), platforms().size()) << "a new platform needs a case";
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.platform);
    const Settings settings = test::platform_settings(each.platform);
    const auto expected = [](const std::string& added) {
      return added.empty() ? "" : add("/spec/tolerations", '[' + added + ']');
    };
    EXPECT_EQ(placed(kSelector, settings), expected(each.added));
    EXPECT_EQ(placed(with_build, settings), expected(each.added_with_build));
    const std::string tolerated = R"(,"tolerations":[)" + each.added + ']';
    EXPECT_EQ(placed(kSelector + tolerated, settings), "") << "a second time nothing is added";
    EXPECT_EQ(placed(R"("os":{"name":"windows"})", settings), kAddSelector + expected(each.added));
  }
}

TEST(Placement, AddsTheBetaLabelBefore115) {
  Settings settings;
  settings.kubernetes = {1, 14};
  EXPECT_EQ(placed(R"("os":{"name":"windows"})", settings),
            add("/spec/nodeSelector", R"({"beta.kubernetes.io/os":"windows"})") + kAddKep);
  settings.kubernetes = {1, 15};
  EXPECT_EQ(placed(R"("os":{"name":"windows"})", settings), kAddSelector + kAddKep);
}

TEST(Placement, AddsNoSelectorByDefaultWhereThePodNamesItsNode) {
  for (const std::string spec :
       {R"("nodeName":"a")", R"("nodeSelector":{"kubernetes.io/hostname":"a"})"}) {
    SCOPED_TRACE(spec);
    EXPECT_EQ(placed(spec, {}, Os::linux), "");
    EXPECT_EQ(placed(spec, {}, Os::windows), kAddKep);
  }
  EXPECT_EQ(placed(R"("nodeName":"")", {}, Os::windows), kAddSelector + kAddKep);
  EXPECT_EQ(placed(R"("nodeName":"a","os":{"name":"windows"})"), kAddSelector + kAddKep)
      << "the pod says it";
}

TEST(Placement, AddsALinuxSelectorByDefaultOnly) {
  const std::string selector = add("/spec/nodeSelector", R"({"kubernetes.io/os":"linux"})");
  EXPECT_EQ(placed("", {}, Os::linux), selector);
  EXPECT_EQ(placed(R"("os":{"name":"linux"})", {}, Os::linux), selector)
      << "spec.os does not schedule";
  for (const Os other : {Os::none, Os::windows}) {
    EXPECT_EQ(placed(R"("os":{"name":"linux"})", {}, other), "");
  }
  EXPECT_EQ(placed(R"("nodeSelector":{"kubernetes.io/os":"linux"})", {}, Os::linux), "");
  EXPECT_EQ(
      placed(R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
             R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/os",)"
             R"("operator":"In","values":["linux"]}]}]}}})",
             {}, Os::linux),
      "");
  EXPECT_EQ(placed("", {}, Os::windows), kAddSelector + kAddKep);
}

}  // namespace
}  // namespace winadmit
