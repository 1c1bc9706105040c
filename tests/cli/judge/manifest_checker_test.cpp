#include "cli/judge/manifest_checker.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/judge/apply_patch.hpp"
#include "tests/manifests/json_manifest.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;
using test::manifest_of;

json windows_pod() {
  return {
      {"apiVersion", "v1"},
      {"kind", "Pod"},
      {"metadata", {{"name", "web"}, {"namespace", "shop"}}},
      {"spec",
       {{"os", {{"name", "windows"}}}, {"containers", {{{"name", "web"}, {"image", "web:1"}}}}}}};
}

Verdict judge(ManifestChecker& checker, const json& object) {
  return checker.judge(manifest_of(object));
}

Patch fix(ManifestChecker& checker, const json& object) {
  return checker.fixer().fix(manifest_of(object)).patch;
}

TEST(ManifestChecker, FindsNothingInAPodThatItWouldPlace) {
  ManifestChecker checker({}, Os::none);
  EXPECT_TRUE(judge(checker, windows_pod()).findings.empty());
}

TEST(ManifestChecker, ShortensNamesThatAreLongerThanKubernetesPermits) {
  ManifestChecker checker({}, Os::none);
  const std::string longest = "a" + std::string(251, 'b') + "c";
  for (const char* key : {"namespace", "name", "generateName"}) {
    json pod = windows_pod();
    pod["metadata"] = {{key, longest}};
    const auto named = [&] {
      const ObjectName object = judge(checker, pod).object;
      return object.name.empty() ? object.name_space : object.name;
    };
    EXPECT_EQ(named(), longest) << key;
    pod["metadata"] = {{key, longest + 'd'}};
    EXPECT_LE(named().size(), longest.size()) << key;
    EXPECT_TRUE(named().starts_with("ab") && named().ends_with("bcd")) << key << ' ' << named();
  }
}

TEST(ManifestChecker, CitesTheSourceOfTheRowInForce) {
  json pod = windows_pod();
  pod["spec"]["hostPID"] = true;
  for (const Version version : {kOldestVersion, kNewestVersion}) {
    server::Config config;
    config.policy.kubernetes = version;
    ManifestChecker checker(config, Os::windows);
    auto findings = judge(checker, pod).findings;
    std::erase_if(findings, [](const auto& each) { return each.rule != "host-pid"; });
    ASSERT_EQ(findings.size(), 1U);
    const auto row = std::ranges::find_if(rules(), [&](const Rule& rule) {
      return rule.id == findings.front().rule && rule.versions.contains(version);
    });
    ASSERT_NE(row, rules().end());
    EXPECT_EQ(to_json(findings.front())["source"], row->source) << to_string(version);
  }
}

TEST(ManifestChecker, ReportsAFindingAsALineAndAsJson) {
  ManifestChecker checker({}, Os::none);
  json pod = windows_pod();
  pod["spec"]["hostPID"] = true;
  const auto findings = judge(checker, pod).findings;
  ASSERT_EQ(findings.size(), 1U);
  const std::string line = to_string(findings.front());
  EXPECT_TRUE(line.starts_with("pod.json: error: Pod shop/web: spec.hostPID: ")) << line;
  EXPECT_TRUE(line.ends_with(" (host-pid)")) << line;
  const json row = to_json(findings.front());
  EXPECT_EQ(row["action"], "deny");
  EXPECT_EQ(row["rule"], "host-pid");
  EXPECT_FALSE(row.contains("line")) << "JSON has no locations";
}

TEST(ManifestChecker, KeepsAsMuchAdviceAsFindings) {
  ManifestChecker checker({}, Os::none);
  json pod = windows_pod();
  auto& terms = pod["spec"]["affinity"]["nodeAffinity"]
                   ["requiredDuringSchedulingIgnoredDuringExecution"]["nodeSelectorTerms"];
  terms[0]["matchExpressions"][0] = {{"key", "kubernetes.io/os"}, {"operator", "In"}};
  terms[0]["matchExpressions"][0]["values"] = std::vector<std::string>(150, "Windows");
  const Verdict verdict = judge(checker, pod);
  EXPECT_EQ(std::ranges::count(verdict.findings, "advice-os-name", &ManifestFinding::rule), 150);
  EXPECT_EQ(verdict.left_out, 0U);
}

TEST(ManifestChecker, TellsOfAHundredMalformedFieldsAndThatSomeAreLeftOut) {
  ManifestChecker checker({}, Os::none);
  json pod = windows_pod();
  for (int i = 0; i < 250; ++i)
    pod["spec"]["containers"].push_back({{"name", "web"}, {"image", "web:1"}, {"command", "a"}});
  const Verdict verdict = judge(checker, pod);
  EXPECT_EQ(std::ranges::count(verdict.findings, "malformed-field", &ManifestFinding::rule), 100);
  EXPECT_GT(verdict.left_out, 0U);
}

TEST(ManifestChecker, TellsOfAHundredMalformedFieldsOfAllTemplates) {
  ManifestChecker checker({}, Os::none);
  json pod = windows_pod();
  for (int i = 0; i < 30; ++i)
    pod["spec"]["containers"].push_back({{"name", "web"}, {"image", "web:1"}, {"command", "a"}});
  const json job = {{"apiVersion", "x.io/v1"},
                    {"kind", "J"},
                    {"metadata", {{"name", "web"}}},
                    {"spec", {{"tasks", json::array({pod, pod, pod, pod, pod})}}}};
  const Verdict verdict = checker.judge(manifest_of(job), {{"x.io", "J", "spec.tasks[*]"}});
  EXPECT_GT(verdict.left_out, 0U);
  EXPECT_LE(verdict.findings.size(), 100U);
  EXPECT_GT(verdict.findings.size(), 80U);
}

TEST(ManifestChecker, ReportsWhatIsNoTemplateInThePlaceOfOne) {
  ManifestChecker checker({}, Os::none);
  const json job = {{"apiVersion", "x.io/v1"},
                    {"kind", "J"},
                    {"metadata", {{"name", "web"}}},
                    {"spec", {{"tasks", json::array({5, nullptr, windows_pod()})}}}};
  const Verdict verdict = checker.judge(manifest_of(job), {{"x.io", "J", "spec.tasks[*]"}});
  ASSERT_EQ(verdict.findings.size(), 1U);
  EXPECT_EQ(verdict.findings[0].rule, "malformed-field");
  EXPECT_EQ(verdict.findings[0].field, "spec.tasks[0]");
  EXPECT_EQ(verdict.findings[0].message(), "must be an object, not a number");
  EXPECT_TRUE(verdict.asks_for_windows);
}

TEST(ManifestChecker, TellsOfAHundredLabelsOfANamespaceAndCountsTheRest) {
  ManifestChecker checker({}, Os::none);
  json name_space = {{"apiVersion", "v1"}, {"kind", "Namespace"}, {"metadata", {{"name", "shop"}}}};
  for (int i = 0; i < 250; ++i)
    name_space["metadata"]["labels"]["winadmit.dev/unknown-" + std::to_string(i)] = "x";
  const Verdict verdict = judge(checker, name_space);
  EXPECT_EQ(verdict.findings.size(), 100U);
  EXPECT_EQ(verdict.left_out, 150U);
}

TEST(ManifestChecker, SaysNothingOfTheNameOfAnOsWhereKubernetesReadsNone) {
  json pod = windows_pod();
  pod["spec"]["os"]["name"] = "Windows";
  for (const Version version : {Version{1, 23}, kPodOsVersion}) {
    server::Config config;
    config.policy.kubernetes = version;
    ManifestChecker checker(config, Os::none);
    EXPECT_EQ(judge(checker, pod).findings.size(), version < kPodOsVersion ? 0U : 1U);
  }
}

TEST(ManifestChecker, DeniesInWorkloadsWhatItDeniesInPods) {
  ManifestChecker checker({}, Os::none);
  json deployment = {{"apiVersion", "apps/v1"},
                     {"kind", "Deployment"},
                     {"metadata", {{"name", "web"}}},
                     {"spec", {{"template", windows_pod()}}}};
  deployment["spec"]["template"]["spec"]["hostPID"] = true;
  const auto findings = judge(checker, deployment).findings;
  EXPECT_TRUE(std::ranges::any_of(findings, &ManifestFinding::is_denial));
}

TEST(ManifestChecker, FixesOnlyObjectsThatWantWindows) {
  ManifestChecker checker({}, Os::none);
  json pod = windows_pod();
  pod["spec"]["dnsPolicy"] = "ClusterFirst";
  json fixed = pod;
  apply_patch(fix(checker, pod), fixed);
  EXPECT_EQ(fixed["spec"]["nodeSelector"]["kubernetes.io/os"], "windows");
  EXPECT_TRUE(fix(checker, fixed).empty());
  pod["spec"]["os"]["name"] = "linux";
  EXPECT_TRUE(fix(checker, pod).empty());
  const json service = {{"apiVersion", "v1"}, {"kind", "Service"}};
  EXPECT_TRUE(fix(checker, service).empty());
}

/// The fields that Pod Security `restricted` asks of every pod without spec.os.name: windows
/// (k8s.io/pod-security-admission, policy/check_*_1_25.go).
TEST(ManifestChecker, KeepsWhatPodSecurityAsksForUnlessSpecOsIsSet) {
  json pod = windows_pod();
  pod["spec"].erase("os");
  pod["spec"]["nodeSelector"]["kubernetes.io/os"] = "windows";
  pod["spec"]["containers"][0]["securityContext"] = {
      {"allowPrivilegeEscalation", false},
      {"runAsNonRoot", true},
      {"capabilities", {{"drop", {"ALL"}}}},
      {"seccompProfile", {{"type", "RuntimeDefault"}}}};
  const auto removed = [&](ManifestChecker& checker) {
    std::vector<std::string> fields;
    for (const PatchOperation& each : fix(checker, pod)) {
      if (each.op == "remove") fields.push_back(each.path.substr(each.path.rfind('/') + 1));
    }
    std::ranges::sort(fields);
    return fields;
  };
  const std::vector<std::string> removable = {"allowPrivilegeEscalation", "drop", "seccompProfile"};
  ManifestChecker checker({}, Os::none);
  EXPECT_EQ(removed(checker), std::vector<std::string>{});
  server::Config setting_os;
  setting_os.policy.set_os = true;
  ManifestChecker os_setter(setting_os, Os::none);
  EXPECT_EQ(removed(os_setter), removable);
  pod["spec"]["os"]["name"] = "windows";
  EXPECT_EQ(removed(checker), removable);
}

TEST(ManifestChecker, LeavesExemptObjectsAlone) {
  const server::Config config = server::parse_config("exempt: {namespaces: [shop]}\n", "test.yaml");
  ManifestChecker checker(config, Os::none);
  EXPECT_TRUE(fix(checker, windows_pod()).empty());
}

}  // namespace
}  // namespace winadmit::cli
