#include "policy/judge/image_builds.hpp"

#include <gtest/gtest.h>

#include "policy/judge/advice.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "tests/policy/judge/platform_settings.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

const std::string k1803 = "mcr.microsoft.com/windows/servercore:1803";
const std::string k1909 = "mcr.microsoft.com/windows/servercore:1909";
const std::string k2019 = "mcr.microsoft.com/windows/nanoserver:ltsc2019";
const std::string k2022 = "mcr.microsoft.com/windows/nanoserver:ltsc2022";
const std::string k2025 = "mcr.microsoft.com/windows/nanoserver:ltsc2025";

/// The findings about the builds of a Windows pod with these images.
std::vector<Finding> find(const std::vector<std::string>& images, const Settings& settings,
                          const std::string& more) {
  std::string containers;
  for (const std::string& each : images) {
    if (!containers.empty()) containers += ',';
    containers += R"({"name":"c","image":")" + each + "\"}";
  }
  const test::ParsedPod parsed(R"({"nodeSelector":{"kubernetes.io/os":"windows"},"containers":[)" +
                               containers + ']' + more + '}');
  FindingCollector findings;
  Advisor(settings).advise(parsed.pod(), find_target(parsed.pod(), settings.target), false,
                           findings);
  std::vector<Finding> found = findings.extract().kept;
  std::erase_if(found, [](const Finding& each) { return each.id != kAdviceImageBuild; });
  return found;
}

using Faults = std::vector<std::string>;

/// "[1] is for ..." for each finding of a container.
Faults faults(const std::vector<std::string>& images, const Settings& settings,
              const std::string& more = "") {
  Faults found;
  for (const Finding& each : find(images, settings, more)) {
    found.push_back(each.field.substr(std::string("spec.containers").size(), 3) + ' ' +
                    each.reason);
  }
  return found;
}

TEST(ImageBuilds, ReportAnImageThatNoSupportedNodeRuns) {
  const std::string no_node = ", and Kubernetes supports no node that runs it";
  for (const char* const platform : {"kep", "kubernetes", "gke", "aks", "any"}) {
    SCOPED_TRACE(platform);
    const Settings settings = test::platform_settings(platform);
    EXPECT_EQ(faults({"microsoft/aspnet:4.7.1-windowsservercore-1709"}, settings),
              Faults{"[0] is for Windows Server, version 1709" + no_node});
    EXPECT_EQ(faults({k1803}, settings),
              Faults{"[0] is for Windows Server, version 1803" + no_node});
    EXPECT_EQ(faults({"registry.local/app:1.2-ltsc2016"}, settings),
              Faults{"[0] is for Windows Server 2016" + no_node});
    for (const std::string& each : {k2019, k2022, k2025}) {
      EXPECT_EQ(faults({each}, settings), Faults{}) << each;
    }
  }
}

TEST(ImageBuilds, ReportAnImageThatNoNodeOfThePlatformRuns) {
  const Faults kNone = {
      "[0] is for Windows Server, version 1909, and no node of the platform runs "
      "it"};
  const auto tolerating = [](const std::string& toleration) {
    return R"(,"tolerations":[)" + toleration + ']';
  };
  const std::string kep = R"({"key":"os","value":"Win1809","effect":"NoSchedule"})";
  EXPECT_EQ(faults({k1909}, test::platform_settings("kep")), kNone);
  EXPECT_EQ(faults({k1909}, test::platform_settings("kep"), tolerating(kep)), kNone);
  EXPECT_EQ(faults({k1909}, test::platform_settings("kep"),
                   tolerating(R"({"key":"pool","operator":"Exists"})")),
            kNone);
  for (const char* const wider : {R"({"operator":"Exists"})", R"({"key":"os","operator":"Exists"})",
                                  R"({"key":"os","value":"Win1909"})"}) {
    EXPECT_EQ(faults({k1909}, test::platform_settings("kep"), tolerating(wider)), Faults{})
        << wider;
  }
  EXPECT_EQ(faults({k1909}, test::platform_settings("aks")), Faults{})
      << "its nodes have no taints";
  Settings settings = test::platform_settings("kep");
  settings.tolerations_by_build.erase("10.0.26100");
  EXPECT_EQ(faults({k2025}, settings), Faults{}) << "its nodes may have the default taint";
}

TEST(ImageBuilds, AreComparedWithTheBuildsThatTolerationsIdentify) {
  Settings settings;
  const auto taint = [](const std::string& key) {
    return Toleration{.key = key, .op = "Equal", .value = key, .effect = "NoSchedule"};
  };
  settings.tolerations = {taint("all")};
  settings.tolerations_by_build = {{"10.0.17763", {taint("all"), taint("2019")}},
                                   {"10.0.20348", {taint("all"), taint("2022")}},
                                   {"10.0.26100", {taint("all"), taint("2025")}}};
  const Faults kOther = {
      "[0] is for Windows Server 2019, but the pod is sent to nodes with Windows Server 2022"};
  const std::string own = R"({"key":"2022","value":"2022"})";
  EXPECT_EQ(faults({k2019}, settings, R"(,"tolerations":[)" + own + ']'), kOther);
  EXPECT_EQ(
      faults({k2019}, settings, R"(,"tolerations":[{"key":"all","value":"all"},)" + own + ']'),
      kOther)
      << "a taint of all builds identifies none";
}

TEST(ImageBuilds, ReportImagesThatNoNodeRunsTogether) {
  const auto together = [](const std::string& image, const std::string& oldest) {
    return "is for " + image + ", and no node runs it together with an image for " + oldest;
  };
  const std::string w2019 = "Windows Server 2019", w2022 = "Windows Server 2022";
  for (const char* const platform : {"kep", "eks", "aks"}) {
    SCOPED_TRACE(platform);
    const Settings settings = test::platform_settings(platform);
    EXPECT_EQ(faults({k2019, k2022}, settings), Faults{"[1] " + together(w2022, w2019)});
    EXPECT_EQ(faults({k2022, "app:1", k2019}, settings), Faults{"[0] " + together(w2022, w2019)})
        << "the newer one, in any order";
    EXPECT_EQ(faults({k2022, k2025, k2022}, settings), Faults{}) << "a newer host runs them";
    EXPECT_EQ(faults({k2019, k2019}, settings), Faults{});
    EXPECT_EQ(faults({k1803, k2019}, settings).size(), 1U) << "the first runs nowhere";
  }
  EXPECT_EQ(faults({k2019, k2022}, test::platform_settings("kep"),
                   R"(,"tolerations":[{"key":"os","value":"Win1809"},
                                      {"key":"os","value":"Win2022"}])"),
            Faults{"[1] " + together(w2022, w2019)})
      << "each runs on some node that the pod names";
  EXPECT_EQ(faults({k2019, k2022}, test::platform_settings("kep"),
                   R"(,"hostNetwork":true,
                      "securityContext":{"windowsOptions":{"hostProcess":true}})"),
            Faults{})
      << "HostProcess containers run on any build";
}

TEST(ImageBuilds, ReportAnEphemeralContainerThatDoesNotSuitTheOthers) {
  const std::string debugger =
      R"(,"ephemeralContainers":[{"name":"debugger","image":")" + k2019 + "\"}]";
  const auto found = find({k2022}, test::platform_settings("aks"), debugger);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found.front().field, "spec.ephemeralContainers[0].image");
}

TEST(ImageBuilds, AreSilentWhereATagMayBeAVersion) {
  for (const char* const image :
       {"app:1803", "example/windows-exporter:1803", "example/app-windows:1.0-1709",
        "example/windows-app:2004", "nginx:1709"}) {
    EXPECT_EQ(faults({image}, test::platform_settings("kep")), Faults{}) << image;
  }
}

TEST(ImageBuilds, AreSilentIfARuntimeClassMayChooseOtherNodes) {
  const std::string runtime_class = R"(,"runtimeClassName":"hyper-v")";
  EXPECT_EQ(faults({k1803}, test::platform_settings("kep"), runtime_class), Faults{});
  EXPECT_EQ(faults({k2019, k2022}, test::platform_settings("kep"), runtime_class), Faults{});
}

TEST(ImageBuilds, AreSilentWhereATagNamesSeveralBuilds) {
  EXPECT_EQ(faults({"app:1909-windowsservercore-ltsc2019"}, test::platform_settings("kep")),
            Faults{});
}

TEST(ImageBuilds, AreSilentIfTheNodesAreOfAnUnknownBuild) {
  const test::ParsedPod parsed(
      R"({"nodeSelector":{"node.kubernetes.io/windows-build":"10.0.22621"},"containers":[{}]})");
  const Settings settings;
  const Target target = find_target(parsed.pod(), settings.target);
  const PlatformBuilds platform(settings);
  ImageBuilds images(parsed.pod(), target, platform);
  for_each_container(
      parsed.pod(), [&](const Container& container) { images.add(container, parse_image(k1803)); });
  EXPECT_TRUE(images.find_faults().empty());
}

}  // namespace
}  // namespace winadmit
