#include "policy/judge/placement.hpp"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

#include "tests/policy/judge/patch_text.hpp"
#include "tests/policy/judge/platform_settings.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

const std::string kSelector = R"("nodeSelector":{"kubernetes.io/os":"windows"})";
const std::string kKep =
    R"({"key":"os","operator":"Equal","value":"Win1809","effect":"NoSchedule"})";
const std::string kWin2022 =
    R"({"key":"os","operator":"Equal","value":"Win2022","effect":"NoSchedule"})";

std::string add(const std::string& path, const std::string& value) {
  return "add " + path + ' ' + value + '\n';
}

std::string placed(const std::string& spec, const Settings& settings = {},
                   Os default_os = Os::none) {
  const test::ParsedPod parsed('{' + spec + '}', settings.target.windows_labels);
  const Target target = find_target(parsed.pod(), settings.target, default_os);
  return test::patch_text(make_placement_patch(parsed.pod(), target, settings));
}

const std::string kAddSelector = add("/spec/nodeSelector", R"({"kubernetes.io/os":"windows"})");
const std::string kAddKep = add("/spec/tolerations", '[' + kKep + ']');

/// The values of the taints that find_missed_taints() returns.
std::string missed(const std::string& spec, const Settings& settings = {}) {
  const test::ParsedPod parsed('{' + spec + '}', settings.target.windows_labels);
  const Target target = find_target(parsed.pod(), settings.target);
  std::string values;
  for (const Toleration* each : find_missed_taints(parsed.pod(), target, settings)) {
    values += each->value + ' ';
  }
  return values;
}

TEST(Placement, OfATemplateWithoutABuildMissesTheTaintsOfOtherBuilds) {
  EXPECT_EQ(missed(kSelector), "Win2022 Win2025 ");
  EXPECT_EQ(missed(kSelector + ",\"tolerations\":[" + kKep + "]"), "Win2022 Win2025 ");
  EXPECT_EQ(missed(kSelector + R"(,"tolerations":[{"key":"os","operator":"Exists"}])"), "");
  EXPECT_EQ(missed(kSelector + R"(,"tolerations":[{"key":"os","value":"Win2025"}])"), "");
  EXPECT_EQ(missed(R"("nodeSelector":{"kubernetes.io/os":"linux"})"), "");

  Settings unplaced;
  unplaced.place_daemon_sets = false;
  EXPECT_EQ(missed(kSelector, unplaced), "Win1809 Win2022 Win2025 ");

  Settings shared;
  for (auto& each : shared.tolerations_by_build) each.second = shared.tolerations;
  EXPECT_EQ(missed(kSelector, shared), "") << "one taint for all builds";
}

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
      {"20348", on_build("10.0.20348"), add("/spec/tolerations", '[' + kWin2022 + ']')},
      {"an unknown build", on_build("10.0.99999"), add("/spec/tolerations", '[' + kKep + ']')},
      {"only the build label",
       R"("nodeSelector":{"node.kubernetes.io/windows-build":"10.0.20348"})",
       add("/spec/nodeSelector/kubernetes.io~1os", R"("windows")") +
           add("/spec/tolerations", '[' + kWin2022 + ']')},
      {"another build's taint is tolerated by name",
       kSelector + R"(,"tolerations":[)" + kWin2022 + "]", ""},
      {"the selector has precedence over a toleration",
       on_build("10.0.20348") + R"(,"tolerations":[)" + kKep + "]",
       add("/spec/tolerations/-", kWin2022)},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(placed(each.spec), each.expected);
  }
}

TEST(Placement, DoesNotTakeADefaultTolerationForOneOfABuild) {
  // One that it adds tolerates the taint of the build, too.
  Settings settings;
  settings.tolerations = {{.key = "os", .op = "Equal", .value = "windows", .effect = ""}};
  settings.tolerations_by_build = {
      {"10.0.20348",
       {{.key = "os", .op = "Equal", .value = "windows", .effect = "NoSchedule"},
        {.key = "build", .op = "Equal", .value = "20348", .effect = "NoSchedule"}}}};
  const std::string added = R"({"key":"os","operator":"Equal","value":"windows"})";
  EXPECT_EQ(placed(kSelector, settings), add("/spec/tolerations", '[' + added + ']'));
  EXPECT_EQ(placed(kSelector + R"(,"tolerations":[)" + added + ']', settings), "");
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

TEST(Placement, InfersTheBuildFromTheImages) {
  const auto images = [](std::initializer_list<std::string> tags) {
    std::string list;
    for (const std::string& tag : tags) {
      if (!list.empty()) list += ',';
      list += R"({"image":"mcr.microsoft.com/windows/servercore:)" + tag + "\"}";
    }
    return kSelector + R"(,"containers":[)" + list + ']';
  };
  const std::string add_2022 = add("/spec/tolerations", '[' + kWin2022 + ']');
  const std::string host_process = R"(,"securityContext":{"windowsOptions":{"hostProcess":true}})";
  struct Case {
    const char* name;
    std::string spec;
    std::string expected;
  };
  const Case kCases[] = {
      {"one image", images({"ltsc2022"}), add_2022},
      {"images that agree", images({"ltsc2022", "10.0.20348.2113", "latest"}), add_2022},
      {"images that disagree", images({"ltsc2022", "ltsc2019"}), kAddKep},
      {"images that disagree three times", images({"ltsc2022", "ltsc2019", "ltsc2022"}), kAddKep},
      {"no image with a build", images({"latest"}), kAddKep},
      {"a build without its own tolerations", images({"ltsc2016"}), kAddKep},
      {"an init container", images({"latest"}) + R"(,"initContainers":[{"image":"a:ltsc2022"}])",
       add_2022},
      {"a build label wins",
       R"("nodeSelector":{"kubernetes.io/os":"windows","node.kubernetes.io/windows-build":)"
       R"("10.0.26100"},"containers":[{"image":"a:ltsc2022"}])",
       add("/spec/tolerations", "[" +
                                    std::string(R"({"key":"os","operator":"Equal",)"
                                                R"("value":"Win2025","effect":"NoSchedule"})") +
                                    "]")},
      {"a toleration of a build wins", images({"ltsc2022"}) + R"(,"tolerations":[)" + kKep + ']',
       ""},
      {"the second pass adds nothing",
       images({"ltsc2022"}) + R"(,"tolerations":[)" + kWin2022 + ']', ""},
      {"an image of a HostProcess container", images({"ltsc2022"}) + host_process, kAddKep},
      {"a HostProcess container beside another",
       kSelector + R"(,"containers":[{"image":"a:ltsc2019")" + host_process +
           R"(},{"image":"a:ltsc2022"}])",
       add_2022},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(placed(each.spec), each.expected);
  }
  Settings before_host_process;
  before_host_process.kubernetes = {1, 21};
  EXPECT_EQ(placed(images({"ltsc2022"}) + host_process, before_host_process), add_2022);
}

/// Taints that several builds share must not make a second pass find more builds than the first.
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
  EXPECT_EQ(placed("", {}, Os::linux),
            add("/spec/nodeSelector", R"({"kubernetes.io/os":"linux"})"));
  EXPECT_EQ(placed(R"("os":{"name":"linux"})", {}, Os::linux), "");
  EXPECT_EQ(placed("", {}, Os::windows), kAddSelector + kAddKep);
}

}  // namespace
}  // namespace winadmit
