#include "policy/judge/advice.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>
#include <string>

#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

using Names = std::vector<std::string>;

Names advice_on(const test::ParsedPod& parsed, const Settings& settings, bool placed_by_us = true,
                Os default_os = Os::none) {
  const Target target = find_target(parsed.pod(), settings.target, default_os);
  FindingCollector findings;
  Advisor(settings).advise(parsed.pod(), target, placed_by_us, findings);
  Names found;
  for (const Finding& each : findings.extract().kept) {
    found.push_back(std::string(each.field) + ' ' + std::string(each.id));
  }
  return found;
}

Names advice(const std::string& spec, const Settings& settings = {}, bool placed_by_us = true,
             Os default_os = Os::none) {
  return advice_on(test::ParsedPod('{' + spec + '}'), settings, placed_by_us, default_os);
}

const std::string kKep = R"({"key":"os","value":"Win1809","effect":"NoSchedule"})";
const std::string kPlaced =
    R"("nodeSelector":{"kubernetes.io/os":"windows"},"tolerations":[)" + kKep + "]";

std::string with_image(const std::string& image, const std::string& more = "") {
  return R"("containers":[{"name":"c","image":")" + image + '"' + more + "}]";
}

TEST(Advice, ReportsHintsOfWindowsWithoutASignal) {
  const Names kToleration = {"spec.tolerations advice-os-hint"};
  const Names kImage = {"spec.containers[0].image advice-os-hint"};
  EXPECT_EQ(advice(R"("tolerations":[)" + kKep + "]"), kToleration);
  EXPECT_EQ(advice(R"("tolerations":[{"key":"os","value":"Win2022"}])"), kToleration);
  EXPECT_EQ(advice(with_image("mcr.microsoft.com/windows/nanoserver:1809")), kImage);
  EXPECT_EQ(advice(R"("tolerations":[)" + kKep + "]," +
                   with_image("mcr.microsoft.com/windows/servercore:ltsc2022")),
            kToleration)
      << "one hint for each pod";
  EXPECT_EQ(advice(R"("tolerations":[{"operator":"Exists"}])"), Names{});
  EXPECT_EQ(advice(R"("tolerations":[{"key":"os","operator":"Exists"}])"), Names{});
  EXPECT_EQ(advice(with_image("mcr.microsoft.com/dotnet/aspnet:8.0")), Names{});
  EXPECT_EQ(advice(R"("os":{"name":"linux"},"tolerations":[)" + kKep + "]"), Names{});
}

TEST(Advice, GivesNoHintAboutAPodThatItsRuntimeClassMaySendToWindowsNodes) {
  const std::string hinted = R"("tolerations":[)" + kKep + "],";
  EXPECT_EQ(advice(hinted + R"("runtimeClassName":"windows-2022")"), Names{});
  EXPECT_EQ(advice(hinted + R"("runtimeClassName":"")"), Names{"spec.tolerations advice-os-hint"});
}

TEST(Advice, ReportsEachWindowsOptionsOnLinux) {
  const std::string context = R"("securityContext":{"windowsOptions":{"runAsUserName":"a"}})";
  const std::string linux = R"("os":{"name":"linux"},)";
  EXPECT_EQ(advice(linux + context),
            Names{"spec.securityContext.windowsOptions advice-windows-options"});
  EXPECT_EQ(
      advice(linux + context + R"(,"containers":[{"name":"a"},{"name":"b",)" + context + "}]"),
      (Names{"spec.securityContext.windowsOptions advice-windows-options",
             "spec.containers[1].securityContext.windowsOptions advice-windows-options"}));
  EXPECT_EQ(advice(linux + R"("securityContext":{"windowsOptions":{}})"), Names{});
}

TEST(Advice, DeniesContradictingSignals) {
  const test::ParsedPod parsed(
      R"({"os":{"name":"linux"},"nodeSelector":{"kubernetes.io/os":"windows"}})");
  const Target target = find_target(parsed.pod(), {});
  FindingCollector findings;
  Advisor(Settings{}).advise(parsed.pod(), target, true, findings);
  const auto kept = findings.extract().kept;
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].id, kOsConflict);
  EXPECT_EQ(kept[0].action, Action::deny);
}

TEST(Advice, ReportsAnUnplacedPodOnlyIfWePlaceIt) {
  const std::string selected = R"("nodeSelector":{"kubernetes.io/os":"windows"})";
  EXPECT_EQ(advice(selected), Names{"spec advice-unplaced"});
  EXPECT_EQ(advice(selected, {}, false), Names{});
  EXPECT_EQ(advice(kPlaced), Names{});
}

std::string unplaced_text(const std::string& spec, const std::string& platform = "kep") {
  Settings settings;
  settings.tolerations = tolerations_of(*find_platform(platform));
  settings.tolerations_by_build = tolerations_by_build_of(*find_platform(platform));
  settings.tolerations_are_alternatives = find_platform(platform)->taints_are_alternatives;
  settings.target.windows_labels = windows_labels_of(*find_platform(platform));
  const test::ParsedPod parsed('{' + spec + '}', settings.target.windows_labels);
  const Target target = find_target(parsed.pod(), settings.target);
  FindingCollector findings;
  Advisor(settings).advise(parsed.pod(), target, true, findings);
  std::string text;
  for (const Finding& each : findings.extract().kept) {
    if (each.id == kAdviceUnplaced) text += each.reason;
  }
  return text;
}

TEST(Advice, SaysWhatAnUnplacedPodLacks) {
  const std::string spec_os = R"("os":{"name":"windows"})";
  const std::string tolerations = R"(,"tolerations":[)" + kKep + ']';
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

TEST(Advice, NamesTheLabelOfAContradiction) {
  Settings settings;
  settings.target.windows_labels = {{"pool", {{"win", ""}}}};
  const test::ParsedPod parsed(R"({"os":{"name":"linux"},"nodeSelector":{"pool":"win"}})",
                               settings.target.windows_labels);
  FindingCollector findings;
  Advisor(settings).advise(parsed.pod(), find_target(parsed.pod(), settings.target), true,
                           findings);
  const auto kept = findings.extract().kept;
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].id, kOsConflict);
  EXPECT_EQ(kept[0].reason,
            "names linux in os.name and windows in nodeSelector[pool], so no node can run the pod");
}

TEST(Advice, ReportsAnImageThatTheNodesCannotRun) {
  const auto on_build = [](const std::string& build, const std::string& taint) {
    return R"("nodeSelector":{"kubernetes.io/os":"windows","node.kubernetes.io/windows-build":")" +
           build + R"("},"tolerations":[{"key":"os","value":")" + taint + "\"}],";
  };
  const std::string on_2019 = on_build("10.0.17763", "Win1809");
  const std::string on_2022 = on_build("10.0.20348", "Win2022");
  const std::string on_2025 = on_build("10.0.26100", "Win2025");
  const std::string repository = "mcr.microsoft.com/windows/servercore:";
  const Names kWrong = {"spec.containers[0].image advice-image-build"};
  struct Case {
    std::string nodes, tag;
    Names expected;
  };
  const Case kCases[] = {
      {on_2019, "ltsc2019", {}},
      {on_2019, "1809", {}},
      {on_2019, "10.0.17763.1040", {}},
      {on_2019, "ltsc2022", kWrong},
      {on_2019, "1803", kWrong},
      {on_2022, "ltsc2022", {}},
      {on_2022, "ltsc2019", kWrong},
      {on_2022, "ltsc2025", kWrong},
      {on_2025, "ltsc2022", {}},
      {on_2025, "ltsc2025", {}},
      {on_2025, "ltsc2019", kWrong},
      {on_2019, "latest", {}},
      {on_2019, "4.8-windowsservercore-ltsc2022", kWrong},
      {on_2019, "ltsc2022@sha256:0000", kWrong},
      {on_2022, "8.0-nanoserver-1809", kWrong},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.nodes + each.tag);
    EXPECT_EQ(advice(each.nodes + with_image(repository + each.tag)), each.expected);
  }
  EXPECT_EQ(
      advice(on_2019 + with_image(repository + "ltsc2022",
                                  R"(,"securityContext":{"windowsOptions":{"hostProcess":true}})")),
      Names{})
      << "HostProcess containers run on any build";
}

TEST(Advice, TakesATolerationForABuildOnlyIfPlacementDoesNotAddItByDefault) {
  const auto tolerating = [](const std::string& taints) {
    return R"("nodeSelector":{"kubernetes.io/os":"windows"},"tolerations":[)" + taints + "],";
  };
  const std::string win2022 = R"({"key":"os","value":"Win2022","effect":"NoSchedule"})";
  const auto with_tag = [](const char* tag) {
    return with_image("mcr.microsoft.com/windows/servercore:" + std::string(tag));
  };
  const Names kWrong = {"spec.containers[0].image advice-image-build"};
  EXPECT_EQ(advice(tolerating(kKep) + with_tag("ltsc2022")), Names{}) << "added by default";
  EXPECT_EQ(advice(tolerating(win2022) + with_tag("ltsc2022")), Names{});
  EXPECT_EQ(advice(tolerating(win2022) + with_tag("ltsc2025")), kWrong);
  EXPECT_EQ(advice(tolerating(win2022) + with_tag("ltsc2019")), kWrong);
  EXPECT_EQ(advice(tolerating(kKep + ',' + win2022) + with_tag("ltsc2019")), Names{})
      << "it tolerates nodes of that build, too";
  EXPECT_EQ(advice(tolerating(kKep + ',' + win2022) + with_tag("ltsc2025")), kWrong);

  Settings settings;
  settings.tolerations = {{.key = "os", .value = "windows", .effect = "NoSchedule"}};
  settings.tolerations_by_build = {{"10.0.17763", settings.tolerations}};
  const std::string windows = R"({"key":"os","value":"windows","effect":"NoSchedule"})";
  EXPECT_EQ(advice(tolerating(windows) + with_tag("ltsc2022"), settings), Names{});
  settings.tolerations = {};
  EXPECT_EQ(advice(tolerating(windows) + with_tag("ltsc2022"), settings), kWrong);
}

TEST(Advice, SaysInMessagesWhatIsDocumented) {
  const test::ParsedPod parsed(R"({"nodeSelector":{"kubernetes.io/os":"windows"}})");
  FindingCollector findings;
  Advisor(Settings{}).advise(parsed.pod(), find_target(parsed.pod(), {}), true, findings);
  const auto kept = findings.extract().kept;
  ASSERT_EQ(kept.size(), 1U);
  const AdviceKind& kind = *std::ranges::find(advice_kinds(), kAdviceUnplaced, &AdviceKind::id);
  EXPECT_EQ(kept[0].instead, kind.instead);
  EXPECT_EQ(kept[0].message(),
            "spec: lacks a toleration of the taint os=Win1809:NoSchedule, so the pod stays "
            "Pending if Windows nodes are tainted; " +
                std::string(kind.instead) + " (advice-unplaced)");
}

TEST(Advice, ReportsLinuxSidecars) {
  const auto sidecar = [](const std::string& name, const std::string& image) {
    return kPlaced + R"(,"containers":[{"name":"app","image":"a"},{"name":")" + name +
           R"(","image":")" + image + "\"}]";
  };
  const Names kNames = {"spec.containers[1] advice-linux-sidecar"};
  EXPECT_EQ(advice(sidecar("istio-proxy", "docker.io/istio/proxyv2:1.20.0")), kNames);
  EXPECT_EQ(advice(sidecar("mesh", "registry.local/istio/proxyv2:1.20.0")), kNames);
  EXPECT_EQ(advice(sidecar("linkerd-proxy", "cr.l5d.io/linkerd/proxy:stable-2.14")), kNames);
  EXPECT_EQ(advice(sidecar("vault-agent", "hashicorp/vault:1.15")), kNames);
  EXPECT_EQ(advice(sidecar("proxy", "registry.local/myproxy:1")), Names{});
  EXPECT_EQ(advice(sidecar("proxy", "registry.local/notistio/proxyv2x:1")), Names{});
  EXPECT_EQ(advice(sidecar("daprd", "daprio/daprd:1.14")), Names{});
  EXPECT_EQ(advice(sidecar("envoy", "envoyproxy/envoy-windows-ltsc2022:v1.30")), Names{});
}

TEST(Advice, NamesTheOptOutOfASidecar) {
  const test::ParsedPod parsed(
      R"({"nodeSelector":{"kubernetes.io/os":"windows"},
          "containers":[{"name":"linkerd-proxy","image":"cr.l5d.io/linkerd/proxy:1"}]})");
  FindingCollector findings;
  Advisor(Settings{}).advise(parsed.pod(), find_target(parsed.pod(), {}), false, findings);
  const auto kept = findings.extract().kept;
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].reason,
            "container \"linkerd-proxy\" is linkerd-proxy, which exists for Linux only");
  EXPECT_EQ(kept[0].instead, "turn it off with the annotation linkerd.io/inject: disabled");
}

TEST(Advice, ReportsAnImageThatExistsForLinuxOnly) {
  const Names kImage = {"spec.containers[0].image advice-linux-image"};
  EXPECT_EQ(advice(kPlaced + ',' + with_image("nginx:1.27")), kImage);
  EXPECT_EQ(advice(kPlaced + ',' + with_image("docker.io/library/busybox")), kImage);
  EXPECT_EQ(advice(kPlaced + ',' + with_image("example.com/nginx")), Names{});
  EXPECT_EQ(advice(kPlaced + R"(,"ephemeralContainers":[{"name":"d","image":"busybox"}])"),
            Names{"spec.ephemeralContainers[0].image advice-linux-image"});
  EXPECT_EQ(advice(R"("nodeSelector":{"kubernetes.io/os":"linux"},)" + with_image("nginx")),
            Names{});
}

TEST(Advice, GivesNoHintAboutAPodThatNamesANode) {
  const std::string image = with_image("mcr.microsoft.com/windows/nanoserver:ltsc2019");
  EXPECT_EQ(advice(image), Names{"spec.containers[0].image advice-os-hint"});
  EXPECT_EQ(advice(R"("nodeName":"win1",)" + image), Names{});
  EXPECT_EQ(advice(R"("nodeName":"",)" + image), Names{"spec.containers[0].image advice-os-hint"});
  EXPECT_EQ(advice(R"("nodeSelector":{"kubernetes.io/hostname":"win1"},)" + image), Names{});
}

TEST(Advice, ReportsALabelByWhichTheKubeletRefusesThePod) {
  const auto with_labels = [](const std::string& labels, Version kubernetes = kNewestVersion) {
    Settings settings;
    settings.kubernetes = kubernetes;
    const test::ParsedPod parsed("{" + kPlaced + "}", {}, R"({"labels":)" + labels + "}");
    return advice_on(parsed, settings, /*placed_by_us=*/false);
  };
  const Names kLabel = {"metadata.labels[kubernetes.io/os] advice-os-label"};
  EXPECT_EQ(with_labels(R"({"kubernetes.io/os":"linux"})"), kLabel);
  EXPECT_EQ(with_labels(R"({"kubernetes.io/os":"Windows"})"), kLabel);
  EXPECT_EQ(with_labels(R"({"kubernetes.io/os":""})"), kLabel);
  EXPECT_EQ(with_labels(R"({"kubernetes.io/os":"windows"})"), Names{});
  EXPECT_EQ(with_labels(R"({"kubernetes.io/os":null,"app":"linux"})"), Names{});
  EXPECT_EQ(with_labels(R"({"kubernetes.io/os":"linux"})", Version{1, 22}), Names{});
  EXPECT_EQ(with_labels(R"({"kubernetes.io/os":"linux"})", Version{1, 23}), kLabel);
}

TEST(Advice, ReportsALabelByWhichTheKubeletOfALinuxNodeRefusesThePod) {
  const auto labelled = [](const std::string& spec, Os default_os = Os::none,
                           const std::string& os = "windows") {
    const test::ParsedPod parsed("{" + spec + "}", {},
                                 R"({"labels":{"kubernetes.io/os":")" + os + "\"}}");
    return advice_on(parsed, {}, /*placed_by_us=*/false, default_os);
  };
  const Names kLabel = {"metadata.labels[kubernetes.io/os] advice-os-label"};
  EXPECT_EQ(labelled(""), kLabel);
  EXPECT_EQ(labelled("", Os::linux), kLabel);
  EXPECT_EQ(labelled("", Os::windows), Names{});
  EXPECT_EQ(labelled("", Os::none, "linux"), Names{});
  EXPECT_EQ(labelled("", Os::none, "other"), Names{});
  EXPECT_EQ(labelled(R"("nodeSelector":{"kubernetes.io/os":"linux"})"), kLabel);
  EXPECT_EQ(labelled(R"("nodeName":"win1")"), Names{}) << "perhaps a Windows node";
  EXPECT_EQ(labelled(R"("nodeName":"win1")", Os::linux), Names{});
  EXPECT_EQ(labelled(R"("nodeName":"a","os":{"name":"linux"})"), kLabel);
  EXPECT_EQ(labelled(R"("runtimeClassName":"other")"), Names{});
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
  EXPECT_EQ(unplaced(windows + hostname + R"(,"tolerations":[)" + kKep + ']'), Names{});
}

TEST(Advice, ReportsAnArchitectureThatNoWindowsNodeHas) {
  const auto selecting = [](const std::string& label, const std::string& arch) {
    return R"("nodeSelector":{"kubernetes.io/os":"windows",")" + label + "\":\"" + arch +
           R"("},"tolerations":[)" + kKep + ']';
  };
  EXPECT_EQ(advice(selecting("kubernetes.io/arch", "arm64")),
            Names{"spec.nodeSelector[kubernetes.io/arch] advice-arch"});
  EXPECT_EQ(advice(selecting("beta.kubernetes.io/arch", "arm64")),
            Names{"spec.nodeSelector[beta.kubernetes.io/arch] advice-arch"});
  EXPECT_EQ(advice(selecting("kubernetes.io/arch", "amd64")), Names{});
  EXPECT_EQ(advice(kPlaced + R"(,"affinity":{"nodeAffinity":{
      "requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[{"matchExpressions":[
      {"key":"kubernetes.io/arch","operator":"In","values":["arm64"]}]}]}}})"),
            Names{"spec.affinity.nodeAffinity advice-arch"});
}

TEST(Advice, ReportsMemoryOnlyIfItIsConfigured) {
  const auto with_memory = [](const std::string& resources) {
    return kPlaced + ',' + with_image("a", R"(,"resources":{)" + resources + '}');
  };
  const std::string none = with_memory("");
  const std::string less = with_memory(R"("requests":{"memory":"1Gi"},"limits":{"memory":"2Gi"})");
  EXPECT_EQ(advice(none), Names{});
  Settings settings;
  settings.actions["advice-memory"] = Action::warn;
  const Names kMemory = {"spec.containers[0].resources advice-memory"};
  EXPECT_EQ(advice(none, settings), kMemory);
  EXPECT_EQ(advice(kPlaced + ',' + with_image("a"), settings), kMemory);
  EXPECT_EQ(advice(less, settings), kMemory);
  EXPECT_EQ(advice(with_memory(R"("requests":{"memory":"1Gi"})"), settings), kMemory);
  EXPECT_EQ(
      advice(with_memory(R"("requests":{"memory":"1024Mi"},"limits":{"memory":"1Gi"})"), settings),
      Names{});
  EXPECT_EQ(advice(with_memory(R"("limits":{"memory":"1Gi"})"), settings), Names{});
  EXPECT_EQ(advice(kPlaced + R"(,"ephemeralContainers":[{"name":"d","image":"a"}])", settings),
            Names{})
      << "ephemeral containers have no resources";
}

TEST(AdviceKinds, AreFoundByTheirIds) {
  for (const AdviceKind& each : advice_kinds()) EXPECT_EQ(&advice_kind(each.id), &each);
  EXPECT_THROW(advice_kind("advice-of-nothing"), std::out_of_range);
}

}  // namespace
}  // namespace winadmit
