#include "policy/judge/placement.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

const std::string kSelector = R"("nodeSelector":{"kubernetes.io/os":"windows"})";
const std::string kKep =
    R"({"key":"os","operator":"Equal","value":"Win1809","effect":"NoSchedule"})";
const std::string k2022 =
    R"({"key":"os","operator":"Equal","value":"Win2022","effect":"NoSchedule"})";

std::string add(const std::string& path, const std::string& value) {
  return "add " + path + ' ' + value + '\n';
}

std::string text(const Patch& patch) {
  std::string text;
  for (const PatchOperation& each : patch) {
    text += std::string(each.op) + ' ' + each.path + ' ' + each.value + '\n';
  }
  return text;
}

std::string placed(const std::string& spec, const Settings& settings = {},
                   Placement what = Placement::full, Os default_os = Os::none) {
  const test::ParsedPod parsed('{' + spec + '}');
  const Target target = find_target(parsed.pod(), settings.target, default_os);
  return text(make_placement_patch(parsed.pod(), target, settings, what));
}

const std::string kAddSelector = add("/spec/nodeSelector", R"({"kubernetes.io/os":"windows"})");
const std::string kAddKep = add("/spec/tolerations", '[' + kKep + ']');

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

TEST(Placement, AddsTheTolerationsOfTheBuild) {
  struct Case {
    const char* name;
    std::string spec;
    std::string expected;
  };
  const auto on_build = [](const std::string& build) {
    return R"("nodeSelector":{"kubernetes.io/os":"windows","node.kubernetes.io/windows-build":")" +
           build + "\"}";
  };
  const Case kCases[] = {
      {"17763", on_build("10.0.17763"), add("/spec/tolerations", '[' + kKep + ']')},
      {"20348", on_build("10.0.20348"), add("/spec/tolerations", '[' + k2022 + ']')},
      {"an unknown build", on_build("10.0.99999"), add("/spec/tolerations", '[' + kKep + ']')},
      {"only the build label",
       R"("nodeSelector":{"node.kubernetes.io/windows-build":"10.0.20348"})",
       add("/spec/nodeSelector/kubernetes.io~1os", R"("windows")") +
           add("/spec/tolerations", '[' + k2022 + ']')},
      {"another build's taint is tolerated by name",
       kSelector + R"(,"tolerations":[)" + k2022 + "]", ""},
      {"the selector has precedence over a toleration",
       on_build("10.0.20348") + R"(,"tolerations":[)" + kKep + "]",
       add("/spec/tolerations/-", k2022)},
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

Settings settings_of(std::string_view platform) {
  Settings settings;
  settings.tolerations = tolerations_of(*find_platform(platform));
  settings.tolerations_by_build = tolerations_by_build_of(*find_platform(platform));
  return settings;
}

std::string toleration(const std::string& key, const std::string& value) {
  return R"({"key":")" + key + R"(","operator":"Equal","value":")" + value +
         R"(","effect":"NoSchedule"})";
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
      {"kep", kKep, k2022},
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
    const Settings settings = settings_of(each.platform);
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

TEST(Placement, OfTolerationsOnlyAddsNoSelector) {
  EXPECT_EQ(placed(R"("os":{"name":"windows"})", {}, Placement::tolerations_only), kAddKep);
}

TEST(Placement, AddsALinuxSelectorByDefaultOnly) {
  EXPECT_EQ(placed("", {}, Placement::full, Os::linux),
            add("/spec/nodeSelector", R"({"kubernetes.io/os":"linux"})"));
  EXPECT_EQ(placed(R"("os":{"name":"linux"})", {}, Placement::full, Os::linux), "");
  EXPECT_EQ(placed("", {}, Placement::tolerations_only, Os::linux), "");
  EXPECT_EQ(placed("", {}, Placement::full, Os::windows), kAddSelector + kAddKep);
}

}  // namespace
}  // namespace winadmit
