#include "cli/manifest_checker.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

using nlohmann::json;

json windows_pod() {
  return {{"apiVersion", "v1"},
          {"kind", "Pod"},
          {"metadata", {{"name", "web"}, {"namespace", "shop"}}},
          {"spec", {{"os", {{"name", "windows"}}}, {"containers", json::array()}}}};
}

manifests::Manifest manifest_of(json object) {
  return {.file = "pod.json", .object = std::move(object), .node = {}};
}

TEST(ManifestChecker, FindsNothingInAPodThatItWouldPlace) {
  ManifestChecker checker({}, Os::none);
  EXPECT_TRUE(checker.check(manifest_of(windows_pod())).empty());
}

TEST(ManifestChecker, ReportsAFindingAsALineAndAsJson) {
  ManifestChecker checker({}, Os::none);
  json pod = windows_pod();
  pod["spec"]["hostPID"] = true;
  const auto findings = checker.check(manifest_of(pod));
  ASSERT_EQ(findings.size(), 1U);
  const std::string line = to_string(findings.front());
  EXPECT_TRUE(line.starts_with("pod.json: error: Pod shop/web: spec.hostPID: ")) << line;
  EXPECT_TRUE(line.ends_with(" (host-pid)")) << line;
  const json row = to_json(findings.front());
  EXPECT_EQ(row["action"], "deny");
  EXPECT_EQ(row["rule"], "host-pid");
  EXPECT_FALSE(row.contains("line")) << "JSON has no locations";
}

TEST(ManifestChecker, DeniesInWorkloadsWhatItDeniesInPods) {
  ManifestChecker checker({}, Os::none);
  json deployment = {{"apiVersion", "apps/v1"},
                     {"kind", "Deployment"},
                     {"metadata", {{"name", "web"}}},
                     {"spec", {{"template", windows_pod()}}}};
  deployment["spec"]["template"]["spec"]["hostPID"] = true;
  const auto findings = checker.check(manifest_of(deployment));
  EXPECT_TRUE(std::ranges::any_of(findings, &ManifestFinding::is_denial));
}

TEST(ManifestChecker, FixesOnlyObjectsThatWantWindows) {
  ManifestChecker checker({}, Os::none);
  json pod = windows_pod();
  pod["spec"]["dnsPolicy"] = "ClusterFirst";
  const json fixed = checker.fix(pod);
  EXPECT_EQ(fixed["spec"]["nodeSelector"]["kubernetes.io/os"], "windows");
  EXPECT_EQ(checker.fix(fixed), fixed);
  pod["spec"]["os"]["name"] = "linux";
  EXPECT_EQ(checker.fix(pod), pod);
  const json service = {{"apiVersion", "v1"}, {"kind", "Service"}};
  EXPECT_EQ(checker.fix(service), service);
}

TEST(ManifestChecker, LeavesExemptObjectsAlone) {
  const server::Config config = server::parse_config("exempt: {namespaces: [shop]}\n", "test.yaml");
  ManifestChecker checker(config, Os::none);
  EXPECT_EQ(checker.fix(windows_pod()), windows_pod());
}

}  // namespace
}  // namespace winadmit::cli
