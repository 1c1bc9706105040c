#include "policy/policy.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "policy/rules/rule.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

using Lines = std::vector<std::string>;

constexpr std::string_view kWindows = R"("nodeSelector": {"kubernetes.io/os": "windows"},
    "tolerations": [{"operator": "Exists"}])";

std::string windows_spec(std::string_view more) {
  return '{' + std::string(kWindows) + ", " + std::string(more) + '}';
}

Lines patched(std::string_view spec, Settings settings, std::string_view metadata = "{}") {
  const test::ParsedPod parsed(spec, test::no_labels(), metadata);
  const Target target = find_target(parsed.pod(), settings.target);
  Lines lines;
  for (const PatchOperation& each : Policy(std::move(settings)).make_patch(parsed.pod(), target)) {
    lines.push_back(std::string(each.op) + ' ' + each.path);
  }
  return lines;
}

Lines found(std::string_view spec, Settings settings = {}) {
  const test::ParsedPod parsed(spec);
  const Target target = find_target(parsed.pod(), settings.target);
  FindingCollector findings;
  Policy(std::move(settings)).validate(parsed.pod(), target, findings);
  Lines ids;
  for (const Finding& each : findings.extract().kept) ids.emplace_back(each.id);
  return ids;
}

TEST(Policy, ReportsRulesAndAdviceForAWindowsPod) {
  EXPECT_EQ(found(R"({"nodeSelector": {"kubernetes.io/os": "windows"}, "hostPID": true})"),
            (Lines{"host-pid", "advice-unplaced"}));
}

TEST(Policy, LeavesLinuxPodsAlone) {
  EXPECT_EQ(found(R"({"os": {"name": "linux"}, "hostPID": true})"), Lines{});
  EXPECT_EQ(patched(R"({"os": {"name": "linux"}, "hostPID": true})", {}), Lines{});
}

TEST(Policy, ReturnsTheErrorsOfALinuxPodOnlyForDuplicateKeys) {
  const auto has_problems = [](std::string_view spec, Os default_os = Os::none) {
    const test::ParsedPod parsed(spec);
    FindingCollector findings;
    const Policy policy(Settings{});
    const Target target = find_target(parsed.pod(), {}, default_os);
    return !policy.validate(parsed.pod(), target, findings).empty();
  };
  EXPECT_FALSE(has_problems(R"({"os": {"name": "linux"}, "tolerations": 1})"));
  EXPECT_TRUE(has_problems(R"({"os": {"name": "linux"}, "tolerations": 1, "tolerations": []})"));
  EXPECT_TRUE(has_problems(R"({"os": {"name": "windows"}, "tolerations": 1})"));
  EXPECT_FALSE(has_problems(R"({"os": {"name": "linux"}, "tolerations": 1})", Os::linux));
  for (const Os os : {Os::none, Os::linux, Os::windows}) {
    SCOPED_TRACE(to_string(os));
    EXPECT_FALSE(has_problems("{}", os));
    for (const char* signal :
         {R"("os": "windows")", R"("os": {"name": ["windows"]})", R"("nodeSelector": "windows")",
          R"("nodeSelector": {"kubernetes.io/os": 1})", R"("runtimeClassName": {})",
          R"("affinity": {"nodeAffinity": "windows"})",
          R"("securityContext": {"windowsOptions": "web"})",
          R"("containers": [{"securityContext": {"windowsOptions": {"hostProcess": "true"}}}])"}) {
      EXPECT_TRUE(has_problems('{' + std::string(signal) + '}', os)) << signal;
    }
  }
}

TEST(Policy, SpeaksOfSccsWhereTheNodesMayBeThoseOfOpenShift) {
  for (const Platform& platform : platforms()) {
    Settings settings;
    settings.set_platform(platform);
    const test::ParsedPod parsed(windows_spec(R"("securityContext": {"runAsUser": 5})"));
    const Target target = find_target(parsed.pod(), settings.target);
    FindingCollector findings;
    Policy(std::move(settings)).validate(parsed.pod(), target, findings);
    const auto kept = findings.extract().kept;
    ASSERT_FALSE(kept.empty());
    const bool may_be_openshift = platform.id == "openshift" || platform.id == "any";
    EXPECT_EQ(kept.front().instead.find("OpenShift SCC") != std::string_view::npos,
              may_be_openshift)
        << platform.id;
  }
}

TEST(Policy, StripsConfiguredFields) {
  Settings settings;
  EXPECT_EQ(patched(windows_spec(R"("hostUsers": false)"), settings), Lines{});
  settings.actions["host-users"] = Action::strip;
  EXPECT_EQ(patched(windows_spec(R"("hostUsers": false)"), settings),
            Lines{"remove /spec/hostUsers"});
}

TEST(Policy, KeepsDroppedCapabilitiesOfAPodWithoutSpecOs) {
  Settings settings;
  settings.actions["capabilities-add"] = Action::strip;
  EXPECT_EQ(patched(windows_spec(R"("containers": [{"name": "a", "securityContext":
                             {"capabilities": {"add": ["NET_ADMIN"], "drop": ["ALL"]}}}])"),
                    settings),
            Lines{"remove /spec/containers/0/securityContext/capabilities/add"});
}

TEST(Policy, KeepsDroppedCapabilitiesWhereKubernetesHasNoSpecOs) {
  Settings settings;
  settings.kubernetes = {1, 23};
  settings.actions["capabilities-add"] = Action::strip;
  EXPECT_EQ(patched(windows_spec(R"("os": {"name": "windows"}, "containers": [{"name": "a",
                             "securityContext": {"capabilities": {"add": ["NET_ADMIN"],
                                                                  "drop": ["ALL"]}}}])"),
                    settings),
            Lines{"remove /spec/containers/0/securityContext/capabilities/add"});
}

TEST(Policy, KeepsDeniedCapabilitiesBesideSpecOs) {
  Settings settings;
  settings.actions["capabilities-drop"] = Action::strip;
  const auto with = [](const std::string& capabilities) {
    return windows_spec(R"("os": {"name": "windows"}, "containers": [{"name": "a",
                     "securityContext": {"capabilities": )" +
                        capabilities + "}}]");
  };
  EXPECT_EQ(patched(with(R"({"add": ["NET_ADMIN"], "drop": ["ALL"]})"), settings),
            Lines{"remove /spec/containers/0/securityContext/capabilities/drop"});
  EXPECT_EQ(patched(with(R"({"drop": ["ALL"]})"), settings),
            Lines{"remove /spec/containers/0/securityContext/capabilities"});
}

TEST(Policy, SetsSpecOsAndStripsWhatTheApiServerWouldRefuse) {
  Settings settings;
  settings.set_os = true;
  EXPECT_EQ(patched(windows_spec(R"("hostUsers": true)"), settings),
            (Lines{"add /spec/os", "remove /spec/hostUsers"}));
  EXPECT_EQ(patched(windows_spec(R"("hostPID": true)"), settings), Lines{}) << "it will be refused";
  EXPECT_EQ(patched(windows_spec(R"("os": {"name": "windows"})"), settings), Lines{});
}

/// The API server calls a webhook again if a later one has changed the pod.
TEST(Policy, StripsWhatALaterWebhookAddsToAPodWhoseSpecOsIsSet) {
  Settings settings;
  const std::string with_sidecar = windows_spec(R"("os": {"name": "windows"}, "containers": [
      {"name": "a"}, {"name": "sidecar", "securityContext": {
          "allowPrivilegeEscalation": false, "capabilities": {"drop": ["ALL"]},
          "seccompProfile": {"type": "RuntimeDefault"}}}])");
  EXPECT_EQ(patched(with_sidecar, settings), Lines{}) << "its author has set it";
  settings.set_os = true;
  EXPECT_EQ(patched(with_sidecar, settings),
            (Lines{"remove /spec/containers/1/securityContext/allowPrivilegeEscalation",
                   "remove /spec/containers/1/securityContext/capabilities",
                   "remove /spec/containers/1/securityContext/seccompProfile"}));
  EXPECT_EQ(patched(windows_spec(R"("os": {"name": "windows"}, "hostPID": true)"), settings),
            Lines{})
      << "it will be refused";
}

TEST(Policy, StripsBesideSpecOsAlsoWhatOnlyADenialWithoutItWouldForbid) {
  Settings settings;
  settings.set_os = true;
  settings.kubernetes = {1, 30};
  const std::string annotation = R"({"annotations": {
      "container.apparmor.security.beta.kubernetes.io/a": "localhost/x"}})";
  const Lines lines = patched(windows_spec(R"("os": {"name": "windows"}, "containers": [{
      "name": "a", "securityContext": {"allowPrivilegeEscalation": false}}])"),
                              settings, annotation);
  EXPECT_NE(std::ranges::find(lines,
                              "remove /spec/containers/0/securityContext/allowPrivilegeEscalation"),
            lines.end())
      << testing::PrintToString(lines);
}

TEST(Policy, StripsAConfiguredFieldThatOnlyWarnsTogetherWithSettingSpecOs) {
  Settings settings;
  settings.kubernetes = {1, 33};
  settings.set_os = true;
  settings.actions["pod-resources"] = Action::strip;
  EXPECT_EQ(patched(windows_spec(R"("resources": {"limits": {"cpu": "1"}})"), settings),
            (Lines{"add /spec/os", "remove /spec/resources"}));
}

TEST(Policy, SetsSpecOsWithoutRemovingFieldsThatOnlyWarn) {
  Settings settings;
  settings.set_os = true;
  EXPECT_EQ(patched(windows_spec(R"("resourceClaims": [{"name": "a"}])"), settings),
            Lines{"add /spec/os"});
}

TEST(Policy, SetsSpecOsBesideAFieldThatTheSettingsAllowIfTheApiServerDoes) {
  const std::string nfs = windows_spec(R"("volumes": [{"name": "a", "nfs": {"server": "b"}}])");
  const std::string host_pid = windows_spec(R"("hostPID": true)");
  for (const Action action : {Action::allow, Action::warn}) {
    Settings settings;
    settings.set_os = true;
    EXPECT_EQ(patched(nfs, settings), Lines{}) << "it will be refused";
    settings.actions["volume-nfs"] = action;
    settings.actions["host-pid"] = action;
    EXPECT_EQ(patched(nfs, settings), Lines{"add /spec/os"});
    EXPECT_EQ(patched(host_pid, settings), Lines{}) << "the API server refuses it with spec.os";
  }
}

/// Paths that the API server refuses beside spec.os.name: windows (validateWindows in
/// k8s.io/kubernetes pkg/apis/core/validation), with values of which Windows lacks something.
TEST(Policy, NeverSetsSpecOsBesideAFieldThatTheApiServerRefusesThen) {
  const auto in_container = [](const std::string& context) {
    return windows_spec(R"("containers": [{"name": "c", "securityContext": {)" + context + "}}]");
  };
  const auto in_pod = [](const std::string& context) {
    return windows_spec(R"("securityContext": {)" + context + '}');
  };
  const std::string localhost = R"({"type": "Localhost", "localhostProfile": "a"})";
  const std::vector<std::string> specs = {
      windows_spec(R"("hostPID": true)"),
      windows_spec(R"("hostIPC": true)"),
      windows_spec(R"("hostUsers": false)"),
      windows_spec(R"("resources": {"limits": {"cpu": "1"}})"),
      in_pod(R"("sysctls": [{"name": "a", "value": "b"}])"),
      in_pod(R"("seccompProfile": )" + localhost),
      in_pod(R"("appArmorProfile": )" + localhost),
      in_pod(R"("seLinuxOptions": {"level": "a"})"),
      in_container(R"("seccompProfile": )" + localhost),
      in_container(R"("appArmorProfile": )" + localhost),
      in_container(R"("capabilities": {"add": ["NET_ADMIN"]})"),
      in_container(R"("privileged": true)"),
      in_container(R"("runAsUser": 1)"),
  };
  for (const Action action : {Action::allow, Action::warn}) {
    Settings settings;
    settings.set_os = true;
    for (const Rule& rule : rules()) settings.actions[std::string(rule.id)] = action;
    for (const std::string& spec : specs) {
      const Lines lines = patched(spec, settings);
      const bool sets_os = std::ranges::find(lines, "add /spec/os") != lines.end();
      const bool removes = std::ranges::any_of(
          lines, [](const std::string& line) { return line.starts_with("remove "); });
      EXPECT_TRUE(!sets_os || removes) << spec << testing::PrintToString(lines);
    }
  }
}

TEST(Policy, DoesNotSetSpecOsBesideLimitsOfThePodThatTheSettingsAllow) {
  for (const Action action : {Action::allow, Action::warn}) {
    Settings settings;
    settings.set_os = true;
    settings.actions["pod-resources"] = action;
    EXPECT_EQ(patched(windows_spec(R"("resources": {"limits": {"cpu": "1"}})"), settings), Lines{});
    EXPECT_EQ(patched(windows_spec(R"("resources": {})"), settings),
              (Lines{"add /spec/os", "remove /spec/resources"}));
  }
}

}  // namespace
}  // namespace winadmit
