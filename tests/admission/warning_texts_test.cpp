// The texts of the rules and of the advice, as warnings: nothing of them is cut off.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>

#include "admission/response_texts.hpp"
#include "policy/judge/advice.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "policy/judge/resize.hpp"
#include "policy/rules/field_pattern.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit::server {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// The longest path of a rule in a usual object: in the template of a CronJob, in a list of more
/// than ten entries. No template has ephemeral containers.
std::string longest_path(const Rule& rule) {
  std::string longest;
  for (std::string path : paths_of(rule.scope, rule.field)) {
    replace_all(path, "[*]", "[10]");
    replace_all(path, "*", "main");  // in the key of an annotation: the name of a container
    if (rule.forbids.forbids_key != nullptr) path += "[hugepages-2Mi]";
    if (!path.starts_with("spec.ephemeralContainers")) {
      path.insert(0, "spec.jobTemplate.spec.template.");
    }
    if (path.size() > longest.size()) longest = path;
  }
  return longest;
}

std::string as_warning(Finding finding) {
  Findings findings{.kept = {}, .denials = 0, .total = 1};
  findings.kept.push_back(std::move(finding));
  return to_warnings(findings).front();
}

TEST(WarningTexts, OfEveryRuleFitAWarning) {
  for (const Rule& rule : rules()) {
    const std::string field = longest_path(rule);
    const std::string warning = as_warning({.id = rule.id,
                                            .action = Action::warn,
                                            .field = field,
                                            .path = {},
                                            .lead = "should not be set for a windows pod",
                                            .reason = std::string(rule.reason),
                                            .instead = rule.instead,
                                            .source = rule.source});
    const std::string text = ": " + std::string(rule.reason) + "; " + std::string(rule.instead) +
                             " (" + std::string(rule.id) + ')';
    EXPECT_TRUE(warning.ends_with(text))
        << to_string(rule.versions) << ": too long by " << field.size() + text.size() - 256 << ": "
        << field + text;
  }
}

/// A spec for each kind of advice, in which the names that its reason repeats are long.
constexpr std::string_view kAdvised[] = {
    R"({"os": {"name": "linux"}, "nodeSelector": {"kubernetes.io/os": "windows",
        "node.kubernetes.io/windows-build": "10.0.20348"}})",
    R"({"containers": [{"image": "mcr.microsoft.com/windows/nanoserver:ltsc2022"}]})",
    R"({"tolerations": [{"key": "os", "value": "Win1809", "effect": "NoSchedule"}]})",
    R"({"os": {"name": "windows"}})",
    R"({"os": {"name": "linux"}, "initContainers": [{"securityContext":
        {"windowsOptions": {"runAsUserName": "ContainerUser"}}}]})",
    R"({"nodeSelector": {"node.kubernetes.io/windows-build": "10.0.17763"},
        "initContainers": [{"image": "mcr.microsoft.com/windows/servercore/iis:ltsc2022"}]})",
    R"({"os": {"name": "windows"}, "initContainers": [
        {"name": "istio-validation", "image": "istio/proxyv2"},
        {"name": "linkerd-network-validator", "image": "linkerd/proxy"},
        {"name": "vault-agent-init", "image": "hashicorp/vault"},
        {"name": "consul-connect-inject-init", "image": "hashicorp/consul-k8s-control-plane"},
        {"name": "kuma-sidecar", "image": "kumahq/kuma-dp"},
        {"name": "envoy", "image": "envoyproxy/envoy"},
        {"name": "cloud-sql-proxy", "image": "cloud-sql-connectors/cloud-sql-proxy"},
        {"name": "gke-gcsfuse-sidecar", "image": "gcs-fuse-csi-driver-sidecar-mounter"}]})",
    R"({"nodeSelector": {"kubernetes.io/os": "windows", "beta.kubernetes.io/arch": "arm64"},
        "initContainers": [{"image": "docker.io/library/busybox:1.37"}, {"resources":
        {"limits": {"memory": "1Gi"}, "requests": {"memory": "512Mi"}}}]})",
};

TEST(WarningTexts, OfEveryAdviceFitAWarning) {
  Settings settings;
  for (const AdviceKind& kind : advice_kinds()) {
    settings.actions[std::string(kind.id)] = Action::warn;
  }
  std::set<std::string_view> seen;
  for (const std::string_view spec : kAdvised) {
    // A DaemonSet is placed by winadmit, so that there is advice about its placement.
    const test::ParsedJson parsed(
        R"({"spec": {"template": {"metadata": {"labels": {"kubernetes.io/os": "linux"}},
            "spec": )" +
        std::string(spec) + "}}}");
    const Pod pod = read_pod(parsed.object(), *find_pod_kind("DaemonSet", "apps"),
                             settings.target.windows_labels);
    FindingCollector findings;
    Advisor(settings).advise(pod, find_target(pod, {}), true, findings);
    for (const Finding& finding : findings.extract().kept) {
      seen.insert(finding.id);
      EXPECT_EQ(as_warning(finding), finding.message());
    }
  }
  const test::ParsedPod before(R"({"initContainers": [{"name": "main"}]})");
  const test::ParsedPod after(
      R"({"initContainers": [{"name": "main", "resources": {"limits": {"memory": "1Gi"}}}]})");
  FindingCollector resizes;
  judge_resize(before.pod(), after.pod(), settings, resizes);
  for (const Finding& finding : resizes.extract().kept) {
    seen.insert(finding.id);
    EXPECT_EQ(as_warning(finding), finding.message());
  }
  for (const AdviceKind& kind : advice_kinds()) {
    if (kind.id == kAdviceNamespaceLabel) continue;  // no webhook gives it
    EXPECT_TRUE(seen.contains(kind.id)) << "add a spec for " << kind.id;
  }
}

}  // namespace
}  // namespace winadmit::server
