// Advice about images: builds of Windows, sidecars, images for Linux.
#include <gtest/gtest.h>

#include <string>

#include "tests/policy/judge/advised.hpp"

namespace winadmit {
namespace {

using test::advice;
using test::kPlaced;
using test::kTolerationOfKep;
using test::Names;
using test::with_image;

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
  EXPECT_EQ(advice(tolerating(kTolerationOfKep) + with_tag("ltsc2022")), Names{})
      << "added by default";
  EXPECT_EQ(advice(tolerating(win2022) + with_tag("ltsc2022")), Names{});
  EXPECT_EQ(advice(tolerating(win2022) + with_tag("ltsc2025")), kWrong);
  EXPECT_EQ(advice(tolerating(win2022) + with_tag("ltsc2019")), kWrong);
  EXPECT_EQ(advice(tolerating(kTolerationOfKep + ',' + win2022) + with_tag("ltsc2019")), Names{})
      << "it tolerates nodes of that build, too";
  EXPECT_EQ(advice(tolerating(kTolerationOfKep + ',' + win2022) + with_tag("ltsc2025")), kWrong);

  Settings settings;
  settings.tolerations = {{.key = "os", .value = "windows", .effect = "NoSchedule"}};
  settings.tolerations_by_build = {{"10.0.17763", settings.tolerations}};
  const std::string windows = R"({"key":"os","value":"windows","effect":"NoSchedule"})";
  EXPECT_EQ(advice(tolerating(windows) + with_tag("ltsc2022"), settings), Names{});
  settings.tolerations = {};
  EXPECT_EQ(advice(tolerating(windows) + with_tag("ltsc2022"), settings), kWrong);
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
  const auto kept = test::findings_on(parsed, {}, /*placed_by_us=*/false);
  ASSERT_EQ(kept.size(), 1U);
  EXPECT_EQ(kept[0].reason,
            "container \"linkerd-proxy\" is linkerd-proxy, which exists for Linux only");
  EXPECT_EQ(kept[0].instead, "turn it off with the annotation linkerd.io/inject: disabled");
}

TEST(Advice, ReportsAnImageThatExistsForLinuxOnly) {
  const Names kImage = {"spec.containers[0].image advice-linux-image"};
  EXPECT_EQ(advice(kPlaced + ',' + with_image("nginx:1.27")), kImage);
  EXPECT_EQ(advice(kPlaced + ',' + with_image("docker.io/library/busybox")), kImage);
  EXPECT_EQ(advice(kPlaced + ',' + with_image("example.com/app:1.0-jammy")), kImage);
  EXPECT_EQ(advice(kPlaced + ',' + with_image("example.com/nginx")), Names{});
  EXPECT_EQ(advice(kPlaced + R"(,"ephemeralContainers":[{"name":"d","image":"busybox"}])"),
            Names{"spec.ephemeralContainers[0].image advice-linux-image"});
  EXPECT_EQ(advice(R"("nodeSelector":{"kubernetes.io/os":"linux"},)" + with_image("nginx")),
            Names{});
}

}  // namespace
}  // namespace winadmit
