#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

#include "policy/judge/advice_kinds.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/image.hpp"
#include "tests/policy/judge/advised.hpp"

namespace winadmit {
namespace {

using test::advice;
using test::advice_on;
using test::kPlaced;
using test::kTolerationOfKep;
using test::Names;
using test::with_image;

TEST(Advice, ReportsHintsOfWindowsWithoutASignal) {
  const Names kToleration = {"spec.tolerations advice-os-hint"};
  const Names kImage = {"spec.containers[0].image advice-os-hint"};
  EXPECT_EQ(advice(R"("tolerations":[)" + kTolerationOfKep + "]"), kToleration);
  EXPECT_EQ(advice(R"("tolerations":[{"key":"os","value":"Win2022"}])"), kToleration);
  EXPECT_EQ(advice(with_image("mcr.microsoft.com/windows/nanoserver:1809")), kImage);
  EXPECT_EQ(advice(R"("tolerations":[)" + kTolerationOfKep + "]," +
                   with_image("mcr.microsoft.com/windows/servercore:ltsc2022")),
            kToleration)
      << "one hint for each pod";
  EXPECT_EQ(advice(R"("tolerations":[{"operator":"Exists"}])"), Names{});
  EXPECT_EQ(advice(R"("tolerations":[{"key":"os","operator":"Exists"}])"), Names{});
  EXPECT_EQ(advice(with_image("mcr.microsoft.com/dotnet/aspnet:8.0")), Names{});
  EXPECT_EQ(advice(R"("os":{"name":"linux"},"tolerations":[)" + kTolerationOfKep + "]"), Names{});
}

TEST(Advice, GivesNoHintAboutAPodThatItsRuntimeClassMaySendToWindowsNodes) {
  const std::string hinted = R"("tolerations":[)" + kTolerationOfKep + "],";
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

TEST(Advice, SaysWhoMindsWindowsOptionsOnLinux) {
  const auto reason = [](const std::string& linux, Version kubernetes) {
    const test::ParsedPod parsed('{' + linux +
                                 R"(,"securityContext":{"windowsOptions":{"runAsUserName":"a"}}})");
    Settings settings;
    settings.kubernetes = kubernetes;
    const auto kept = test::findings_on(parsed, settings);
    return kept.size() == 1 ? std::string(kept[0].reason) : "";
  };
  const std::string os = R"("os":{"name":"linux"})";
  const std::string selector = R"("nodeSelector":{"kubernetes.io/os":"linux"})";
  const std::string both = os + ',' + selector;
  EXPECT_EQ(reason(os, {1, 24}), "are refused by the API server beside spec.os.name linux");
  EXPECT_EQ(reason(selector, {1, 24}), "have no effect on a linux pod");
  EXPECT_EQ(reason(both, {1, 23}), "have no effect on a linux pod") << "spec.os is not read";
}

TEST(Advice, DeniesContradictingSignals) {
  const test::ParsedPod parsed(
      R"({"os":{"name":"linux"},"nodeSelector":{"kubernetes.io/os":"windows"}})");
  const auto kept = test::findings_on(parsed);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].id, kOsConflict);
  EXPECT_EQ(kept[0].action, Action::deny);
}

TEST(Advice, NamesTheLabelOfAContradiction) {
  Settings settings;
  settings.target.windows_labels = {{"pool", {{"win", ""}}}};
  const test::ParsedPod parsed(R"({"os":{"name":"linux"},"nodeSelector":{"pool":"win"}})",
                               settings.target.windows_labels);
  const auto kept = test::findings_on(parsed, settings);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].id, kOsConflict);
  EXPECT_EQ(kept[0].reason,
            "names linux in os.name and windows in nodeSelector[pool], so no node can run the pod");
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

TEST(Advice, ReportsAnArchitectureThatNoWindowsNodeHas) {
  const auto selecting = [](const std::string& label, const std::string& arch) {
    return R"("nodeSelector":{"kubernetes.io/os":"windows",")" + label + "\":\"" + arch +
           R"("},"tolerations":[)" + kTolerationOfKep + ']';
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
