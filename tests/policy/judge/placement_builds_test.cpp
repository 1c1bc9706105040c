// Placement by the builds of Windows: of labels, tolerations and images.
#include <gtest/gtest.h>

#include <string>

#include "tests/policy/judge/placed.hpp"

namespace winadmit {
namespace {

using test::add;
using test::kAddKep;
using test::kKep;
using test::kSelector;
using test::kWin2022;
using test::placed;

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

TEST(PlacementByBuild, OfATemplateWithoutABuildMissesTheTaintsOfOtherBuilds) {
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

  Settings avoided;
  for (auto& each : avoided.tolerations_by_build) each.second.front().effect = "PreferNoSchedule";
  EXPECT_EQ(missed(kSelector, avoided), "");
}

TEST(PlacementByBuild, AddsTheTolerationsOfTheBuild) {
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
      {"the affinity has another term for Linux nodes",
       kSelector +
           R"(,"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{)"
           R"("nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/os",)"
           R"("operator":"In","values":["linux"]}]},{"matchExpressions":[)"
           R"({"key":"node.kubernetes.io/windows-build","operator":"In",)"
           R"("values":["10.0.20348"]}]}]}}})",
       add("/spec/tolerations", '[' + kWin2022 + ']')},
      {"the selector has precedence over a toleration",
       on_build("10.0.20348") + R"(,"tolerations":[)" + kKep + "]",
       add("/spec/tolerations/-", kWin2022)},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    EXPECT_EQ(placed(each.spec), each.expected);
  }
}

TEST(PlacementByBuild, DoesNotTakeADefaultTolerationForOneOfABuild) {
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

TEST(PlacementByBuild, InfersTheBuildFromTheImages) {
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
}  // namespace
}  // namespace winadmit
