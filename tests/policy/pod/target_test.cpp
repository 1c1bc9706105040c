#include "policy/pod/target.hpp"

#include <gtest/gtest.h>

#include "policy/judge/settings.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

using Names = std::vector<std::string>;

Names names(Signals signals) {
  Names names;
  signals.for_each([&](Signal signal) { names.emplace_back(to_string(signal)); });
  return names;
}

Os os_of(const std::string& spec, const Settings& settings = {}, Os default_os = Os::none) {
  return find_target(test::ParsedPod(spec, settings.target.windows_labels).pod(), settings.target,
                     default_os)
      .os;
}

TEST(Target, FollowsTheSignals) {
  struct Case {
    const char* name;
    const char* spec;
    Os os;
    Names windows;
    Names linux;
  };
  const Case kCases[] = {
      {"nothing", "{}", Os::none, {}, {}},
      {"spec.os windows", R"({"os":{"name":"windows"}})", Os::windows, {"os.name"}, {}},
      {"spec.os linux", R"({"os":{"name":"linux"}})", Os::linux, {}, {"os.name"}},
      {"spec.os empty", R"({"os":{}})", Os::none, {}, {}},
      {"spec.os in another case", R"({"os":{"name":"Windows"}})", Os::none, {}, {}},
      {"selector",
       R"({"nodeSelector":{"kubernetes.io/os":"windows"}})",
       Os::windows,
       {"nodeSelector[kubernetes.io/os]"},
       {}},
      {"beta selector",
       R"({"nodeSelector":{"beta.kubernetes.io/os":"windows"}})",
       Os::windows,
       {"nodeSelector[beta.kubernetes.io/os]"},
       {}},
      {"both selectors",
       R"({"nodeSelector":{"beta.kubernetes.io/os":"linux","kubernetes.io/os":"linux"}})",
       Os::linux,
       {},
       {"nodeSelector[kubernetes.io/os]", "nodeSelector[beta.kubernetes.io/os]"}},
      {"selectors that disagree",
       R"({"nodeSelector":{"beta.kubernetes.io/os":"linux","kubernetes.io/os":"windows"}})",
       Os::conflict,
       {"nodeSelector[kubernetes.io/os]"},
       {"nodeSelector[beta.kubernetes.io/os]"}},
      {"build selector",
       R"({"nodeSelector":{"node.kubernetes.io/windows-build":"10.0.17763"}})",
       Os::windows,
       {"nodeSelector[node.kubernetes.io/windows-build]"},
       {}},
      {"build selector on linux",
       R"({"nodeSelector":{"node.kubernetes.io/windows-build":"10.0.17763","kubernetes.io/os":"linux"}})",
       Os::conflict,
       {"nodeSelector[node.kubernetes.io/windows-build]"},
       {"nodeSelector[kubernetes.io/os]"}},
      {"spec.os against selector",
       R"({"os":{"name":"windows"},"nodeSelector":{"kubernetes.io/os":"linux"}})",
       Os::conflict,
       {"os.name"},
       {"nodeSelector[kubernetes.io/os]"}},
      {"another os", R"({"nodeSelector":{"kubernetes.io/os":"plan9"}})", Os::none, {}, {}},
      {"another label", R"({"nodeSelector":{"os":"windows"}})", Os::none, {}, {}},
      {"a toleration", R"({"tolerations":[{"key":"os","value":"Win1809"}]})", Os::none, {}, {}},
      {"an image",
       R"({"containers":[{"image":"mcr.microsoft.com/windows/nanoserver:1809"}]})",
       Os::none,
       {},
       {}},
      {"windowsOptions of the pod",
       R"({"securityContext":{"windowsOptions":{"runAsUserName":"a"}}})",
       Os::windows,
       {"windowsOptions"},
       {}},
      {"windowsOptions of a container",
       R"({"containers":[{"securityContext":{"windowsOptions":{"gmsaCredentialSpec":"a"}}}]})",
       Os::windows,
       {"windowsOptions"},
       {}},
      {"windowsOptions of an init container",
       R"({"initContainers":[{"securityContext":{"windowsOptions":{"hostProcess":false}}}]})",
       Os::windows,
       {"windowsOptions"},
       {}},
      {"empty windowsOptions", R"({"securityContext":{"windowsOptions":{}}})", Os::none, {}, {}},
      {"windowsOptions of null",
       R"({"securityContext":{"windowsOptions":{"runAsUserName":null}}})",
       Os::none,
       {},
       {}},
      {"windowsOptions on linux",
       R"({"os":{"name":"linux"},"securityContext":{"windowsOptions":{"runAsUserName":"a"}}})",
       Os::linux,
       {"windowsOptions"},
       {"os.name"}},
      {"hostProcess false on linux",
       R"({"os":{"name":"linux"},"securityContext":{"windowsOptions":{"hostProcess":false}}})",
       Os::linux,
       {"windowsOptions"},
       {"os.name"}},
      {"hostProcess on linux",
       R"({"os":{"name":"linux"},"containers":[{"securityContext":{"windowsOptions":{"hostProcess":true}}}]})",
       Os::conflict,
       {"windowsOptions", "windowsOptions.hostProcess"},
       {"os.name"}},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const test::ParsedPod parsed(each.spec);
    const Target target = find_target(parsed.pod(), {});
    EXPECT_EQ(target.os, each.os);
    EXPECT_EQ(names(target.windows_signals), each.windows);
    EXPECT_EQ(names(target.linux_signals), each.linux);
  }
}

TEST(Target, TakesTheDefaultOnlyWithoutSignals) {
  for (const Os default_os : {Os::linux, Os::windows}) {
    EXPECT_EQ(os_of("{}", {}, default_os), default_os);
    EXPECT_EQ(os_of(R"({"os":{"name":"windows"}})", {}, default_os), Os::windows);
    EXPECT_EQ(os_of(R"({"os":{"name":"linux"}})", {}, default_os), Os::linux);
    EXPECT_EQ(
        os_of(R"({"securityContext":{"windowsOptions":{"runAsUserName":"a"}}})", {}, default_os),
        Os::windows);
    EXPECT_EQ(os_of(R"({"os":{"name":"linux"},"nodeSelector":{"kubernetes.io/os":"windows"}})", {},
                    default_os),
              Os::conflict);
  }
}

TEST(Target, FollowsConfiguredRuntimeClasses) {
  Settings settings;
  settings.target.windows_runtime_classes = {"windows-2019"};
  EXPECT_EQ(os_of(R"({"runtimeClassName":"windows-2019"})", settings), Os::windows);
  EXPECT_EQ(os_of(R"({"runtimeClassName":"windows-2019"})"), Os::none);
  EXPECT_EQ(os_of(R"({"runtimeClassName":"kata"})", settings), Os::none);
  EXPECT_EQ(os_of(R"({"runtimeClassName":"windows-2019","os":{"name":"linux"}})", settings),
            Os::conflict);
}

TEST(Target, ReadsSignalsInEveryVersion) {
  for (int minor = kOldestVersion.minor; minor <= kNewestVersion.minor; ++minor) {
    Settings settings;
    settings.kubernetes = {1, minor};
    EXPECT_EQ(os_of(R"({"os":{"name":"windows"}})", settings), Os::windows);
    EXPECT_EQ(os_of(R"({"nodeSelector":{"beta.kubernetes.io/os":"windows"}})", settings),
              Os::windows);
  }
}

TEST(Target, NamesTheBuildOfTheNodeSelector) {
  const test::ParsedPod parsed(
      R"({"nodeSelector":{"node.kubernetes.io/windows-build":"10.0.20348"}})");
  EXPECT_EQ(find_target(parsed.pod(), {}).builds, std::vector<std::string_view>{"10.0.20348"});
}

TEST(Target, HasTheBuildsOfTheAffinityOnlyIfItIsWindows) {
  const std::string affinity =
      R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{
      "nodeSelectorTerms":[{"matchExpressions":[
      {"key":"kubernetes.io/os","operator":"In","values":["linux"]}]},{"matchExpressions":[
      {"key":"node.kubernetes.io/windows-build","operator":"In","values":["10.0.26100"]}]}]}}})";
  const std::vector<std::string_view> of_windows = {"10.0.26100"};
  const test::ParsedPod either('{' + affinity + '}');
  EXPECT_TRUE(find_target(either.pod(), {}).builds.empty());
  EXPECT_TRUE(find_target(either.pod(), {}, Os::linux).builds.empty());
  EXPECT_EQ(find_target(either.pod(), {}, Os::windows).builds, of_windows);
  const test::ParsedPod selected(R"({"nodeSelector":{"kubernetes.io/os":"windows"},)" + affinity +
                                 '}');
  EXPECT_EQ(find_target(selected.pod(), {}).builds, of_windows);
}

TEST(Target, FollowsTheLabelsOfWindowsNodes) {
  using Builds = std::vector<std::string_view>;
  const std::string affinity =
      R"({"affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
      R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.azure.com/os-sku",)"
      R"("operator":"In","values":["Windows2022"]}]}]}}}})";
  struct Case {
    const char* name;
    std::string spec;
    Os os;
    Builds builds;
    Names windows;
  };
  const Names kLabel = {"nodeSelector with a label of Windows nodes"};
  const Case kCases[] = {
      {"with a build",
       R"({"nodeSelector":{"kubernetes.azure.com/os-sku":"Windows2022"}})",
       Os::windows,
       {"10.0.20348"},
       kLabel},
      {"without a build",
       R"({"nodeSelector":{"kubernetes.azure.com/os-sku":"WindowsAnnual"}})",
       Os::windows,
       {},
       kLabel},
      {"of Linux",
       R"({"nodeSelector":{"kubernetes.azure.com/os-sku":"Ubuntu"}})",
       Os::none,
       {},
       {}},
      {"on Linux",
       R"({"nodeSelector":{"kubernetes.azure.com/os-sku":"Windows2022","kubernetes.io/os":"linux"}})",
       Os::conflict,
       {"10.0.20348"},
       kLabel},
      {"beside the build label",
       R"({"nodeSelector":{"kubernetes.azure.com/os-sku":"Windows2022",)"
       R"("node.kubernetes.io/windows-build":"10.0.26100"}})",
       Os::windows,
       {"10.0.26100"},
       {"nodeSelector[node.kubernetes.io/windows-build]", kLabel[0]}},
      {"of another platform",
       R"({"nodeSelector":{"node.openshift.io/os_id":"Windows"}})",
       Os::none,
       {},
       {}},
      {"in a required affinity", affinity, Os::windows, {"10.0.20348"}, {"affinity.nodeAffinity"}},
  };
  TargetSettings aks;
  aks.windows_labels = windows_labels_of(*find_platform("aks"));
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const test::ParsedPod parsed(each.spec, aks.windows_labels);
    const Target target = find_target(parsed.pod(), aks);
    EXPECT_EQ(target.os, each.os);
    EXPECT_EQ(target.builds, each.builds);
    EXPECT_EQ(names(target.windows_signals), each.windows);
    EXPECT_EQ(target.excludes_linux(), !each.windows.empty());
    const test::ParsedPod elsewhere(each.spec);
    EXPECT_FALSE(find_target(elsewhere.pod(), {}).windows_signals.has(Signal::label_node_selector));
  }
}

TEST(Target, ExcludesLinuxByASelectorOrARequiredAffinity) {
  const auto excludes_linux = [](const std::string& spec) {
    return find_target(test::ParsedPod(spec).pod(), {}).excludes_linux();
  };
  EXPECT_TRUE(excludes_linux(R"({"nodeSelector":{"kubernetes.io/os":"windows"}})"));
  EXPECT_TRUE(
      excludes_linux(R"({"nodeSelector":{"node.kubernetes.io/windows-build":"10.0.20348"}})"));
  EXPECT_FALSE(excludes_linux(R"({"os":{"name":"windows"}})")) << "the scheduler does not read it";
  EXPECT_FALSE(excludes_linux(R"({"securityContext":{"windowsOptions":{"runAsUserName":"a"}}})"));
}

}  // namespace
}  // namespace winadmit
