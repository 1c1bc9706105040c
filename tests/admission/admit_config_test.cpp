// Decisions by mode, default OS and configuration.
#include <gtest/gtest.h>

#include "tests/server/handler/reviewer.hpp"

namespace winadmit::test {
namespace {

using Findings = std::vector<std::string>;

TEST(AdmitConfig, ModeWarnNeverRefuses) {
  Reviewer reviewer;
  const Answer answer = reviewer.send("/validate/warn", create(with_host_pid(windows_pod())));
  EXPECT_TRUE(answer.allowed());
  EXPECT_EQ(answer.warned(), Findings{"spec.hostPID (host-pid)"});
}

TEST(AdmitConfig, ModeAuditAnnotatesWithoutWarnings) {
  Reviewer reviewer;
  const Answer answer = reviewer.send("/validate/audit", create(with_host_pid(windows_pod())));
  EXPECT_TRUE(answer.allowed());
  EXPECT_TRUE(answer.warnings().empty());
  const Json notes = answer.response.at("auditAnnotations");
  ASSERT_TRUE(notes.contains("host-pid"));
  EXPECT_NE(notes["host-pid"].get<std::string>().find("spec.hostPID: "), std::string::npos);
  EXPECT_EQ(notes.size(), 1U);
}

TEST(AdmitConfig, TheDefaultOsAppliesOnlyToPodsWithoutASignal) {
  Reviewer reviewer;
  const Json silent = pod({{"hostPID", true}});
  EXPECT_TRUE(reviewer.send("/validate", create(silent)).is_plain_allow());
  EXPECT_TRUE(reviewer.send("/validate/default-linux", create(silent)).is_plain_allow());
  EXPECT_FALSE(reviewer.send("/validate/default-windows", create(silent)).allowed());

  const Json linux_pod = pod({{"nodeSelector", kLinuxSelector}, {"hostPID", true}});
  EXPECT_TRUE(reviewer.send("/validate/default-windows", create(linux_pod)).is_plain_allow());
  EXPECT_EQ(reviewer.send("/mutate/default-windows", create(linux_pod)).patch(), Json::array());
  EXPECT_FALSE(
      reviewer.send("/validate/default-linux", create(with_host_pid(windows_pod()))).allowed());
}

TEST(AdmitConfig, TheDefaultOsPlacesPodsWithoutASignal) {
  Reviewer reviewer;
  const Json silent = pod(Json::object());
  EXPECT_EQ(reviewer.send("/mutate", create(silent)).patch(), Json::array());
  const Json to_windows = reviewer.send("/mutate/default-windows", create(silent)).patch();
  EXPECT_EQ(
      to_windows,
      Json::array({{{"op", "add"}, {"path", "/spec/nodeSelector"}, {"value", kWindowsSelector}},
                   kAddKepTolerations[0]}));
  EXPECT_EQ(
      reviewer.send("/mutate/default-linux", create(silent)).patch(),
      Json::array({{{"op", "add"}, {"path", "/spec/nodeSelector"}, {"value", kLinuxSelector}}}));
}

TEST(AdmitConfig, NoDefaultOsAppliesToAPodWithAMalformedSignal) {
  Reviewer reviewer;
  const Json malformed = pod({{"os", "windows"}});
  const Json of_linux = pod({{"os", "windows"}, {"nodeSelector", kLinuxSelector}});
  for (const std::string os : {"windows", "linux"}) {
    SCOPED_TRACE(os);
    EXPECT_EQ(reviewer.send("/mutate/default-" + os, create(malformed)).status, 400);
    const Answer answer = reviewer.send("/validate/default-" + os, create(malformed));
    EXPECT_FALSE(answer.allowed());
    EXPECT_EQ(answer.code(), 400);
    EXPECT_TRUE(reviewer.send("/validate/default-" + os, create(of_linux)).is_plain_allow());
  }
}

/// The audit annotation that tells what the default OS would change, or "".
std::string audited(Reviewer& reviewer, const Json& review, const std::string& os = "linux") {
  const Answer answer = reviewer.send("/mutate/audit/default-" + os, review);
  EXPECT_EQ(answer.status, 200);
  EXPECT_TRUE(answer.allowed());
  EXPECT_EQ(answer.patch(), Json::array());
  if (!answer.response.contains("auditAnnotations")) return "";
  return answer.response["auditAnnotations"].value("default-os", "");
}

TEST(AdmitConfig, AnAuditOfTheDefaultOsTellsAndChangesNothing) {
  Reviewer reviewer;
  const std::string added = R"(add /spec/nodeSelector {"kubernetes.io/os":"linux"})";
  EXPECT_EQ(audited(reviewer, create(pod(Json::object()))), added);
  EXPECT_EQ(audited(reviewer, create(pod({{"os", {{"name", "linux"}}}}))), added);
  EXPECT_EQ(audited(reviewer, create(pod({{"nodeSelector", kLinuxSelector}}))), "");
  EXPECT_EQ(audited(reviewer, create(pod({{"nodeSelector", kWindowsSelector}}))), "")
      << "another webhook places it";
  EXPECT_EQ(
      audited(reviewer, create(pod(Json::object())), "windows").find("add /spec/nodeSelector"), 0U);
  Json malformed = pod(Json::object());
  malformed["spec"]["nodeSelector"] = 1;
  EXPECT_EQ(audited(reviewer, create(malformed), "windows"), "");
}

TEST(AdmitConfig, AnAuditOfTheDefaultOsNamesDaemonSetsThatTolerateEveryTaint) {
  Reviewer reviewer;
  const auto text = [&](const Json& tolerations) {
    return audited(reviewer,
                   create(workload("DaemonSet", {{"tolerations", tolerations}}), "DaemonSet"));
  };
  const std::string added = R"(add /spec/template/spec/nodeSelector {"kubernetes.io/os":"linux"})";
  EXPECT_EQ(text(Json::array()), added);
  EXPECT_EQ(text({{{"operator", "Exists"}}}), "tolerates every taint; " + added);
  EXPECT_EQ(text({{{"operator", "Exists"}, {"effect", "NoSchedule"}}}),
            "tolerates every taint; " + added);
  EXPECT_EQ(text({{{"operator", "Exists"}, {"effect", "NoExecute"}}}), added);
  EXPECT_EQ(text({{{"operator", "Exists"}, {"key", "os"}}}), added);
}

TEST(AdmitConfig, ExemptsNamespacesUsersGroupsAndRuntimeClasses) {
  struct Case {
    const char* name;
    const char* config;
    bool exempt;
  };
  constexpr Case kCases[] = {
      {"none", "", false},
      {"namespace", "exempt: {namespaces: [default]}", true},
      {"another namespace", "exempt: {namespaces: [defaul]}", false},
      {"user", "exempt: {users: [jane]}", true},
      {"another user", "exempt: {users: [joe]}", false},
      {"group", "exempt: {groups: [team]}", true},
      {"another group", "exempt: {groups: [teams]}", false},
      {"runtime class", "exempt: {runtimeClasses: [special]}", true},
      {"another runtime class", "exempt: {runtimeClasses: [specia]}", false},
  };
  Json object = with_host_pid(pod({{"nodeSelector", kWindowsSelector}}));
  object["spec"]["runtimeClassName"] = "special";
  Json review = create(object);
  request(review)["userInfo"]["groups"].push_back("team");
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    Reviewer reviewer(each.config);
    EXPECT_EQ(reviewer.send("/validate", review).is_plain_allow(), each.exempt);
    EXPECT_EQ(reviewer.send("/mutate", review).patch().empty(), each.exempt);
  }
}

TEST(AdmitConfig, AConflictIsRefusedWithBothSignalsAndNotPatched) {
  Reviewer reviewer;
  const Json object = pod({{"os", {{"name", "windows"}}}, {"nodeSelector", kLinuxSelector}});
  EXPECT_EQ(reviewer.send("/mutate", create(object)).patch(), Json::array());
  const Answer answer = reviewer.send("/validate", create(object));
  EXPECT_FALSE(answer.allowed());
  for (const char* named : {"os.name", "nodeSelector[kubernetes.io/os]", "linux", "windows"}) {
    EXPECT_NE(answer.message().find(named), std::string::npos) << answer.message();
  }
}

TEST(AdmitConfig, AdviceCanBeDenied) {
  const Json unplaced = pod({{"nodeSelector", kWindowsSelector}});
  Reviewer reviewer;
  EXPECT_EQ(reviewer.send("/validate", create(unplaced)).warned(),
            Findings{"spec (advice-unplaced)"});
  Reviewer denying("unplaced: deny");
  EXPECT_FALSE(denying.send("/validate", create(unplaced)).allowed());
  EXPECT_TRUE(denying.send("/validate/audit", create(unplaced)).is_plain_allow());
  Reviewer silent("rules: {advice-unplaced: allow}");
  EXPECT_TRUE(silent.send("/validate", create(unplaced)).is_plain_allow());
}

TEST(AdmitConfig, RulesFollowTheConfiguredAction) {
  const Json object = with_host_pid(windows_pod());
  EXPECT_FALSE(Reviewer().send("/validate", create(object)).allowed());
  EXPECT_EQ(Reviewer("rules: {host-pid: warn}").send("/validate", create(object)).warned(),
            Findings{"spec.hostPID (host-pid)"});
  EXPECT_TRUE(
      Reviewer("rules: {host-pid: allow}").send("/validate", create(object)).is_plain_allow());
}

TEST(AdmitConfig, AnAnnotationExemptsFromTheRulesThatItNamesIfTheConfigurationAllowsIt) {
  Json object = with_host_pid(windows_pod());
  object["spec"]["hostIPC"] = true;
  object["metadata"]["annotations"] = {{"winadmit.dev/ignore", "host-pid: debugs; no-such-rule"}};
  EXPECT_EQ(Reviewer().send("/validate", create(object)).refused().size(), 2U);

  Reviewer allowing("exempt: {byAnnotation: true}");
  const Answer one = allowing.send("/validate", create(object));
  EXPECT_EQ(one.refused(), Findings{"spec.hostIPC (host-ipc)"});
  EXPECT_EQ(one.response.at("auditAnnotations"), (Json{{"ignored", "host-pid"}}));

  object["metadata"]["annotations"]["winadmit.dev/ignore"] = "host-pid; host-ipc";
  const Answer both = allowing.send("/validate", create(object));
  EXPECT_TRUE(both.allowed());
  EXPECT_TRUE(both.warnings().empty());
  EXPECT_EQ(both.response.at("auditAnnotations"), (Json{{"ignored", "host-ipc, host-pid"}}));
}

TEST(AdmitConfig, AWorkloadIsExemptByTheAnnotationThatItsPodsWillHave) {
  Reviewer allowing("exempt: {byAnnotation: true}\nworkloads: deny");
  const Json annotations = {{"winadmit.dev/ignore", "host-pid"}};
  Json object = workload("Deployment", with_host_pid(windows_pod())["spec"]);
  object["metadata"]["annotations"] = annotations;
  EXPECT_FALSE(allowing.send("/validate", create(object, "Deployment")).allowed());
  object["spec"]["template"]["metadata"]["annotations"] = annotations;
  EXPECT_TRUE(allowing.send("/validate", create(object, "Deployment")).allowed());
  EXPECT_TRUE(allowing.send("/validate", create(object["spec"]["template"])).allowed());
}

TEST(AdmitConfig, TheAnnotationKeepsNothingThatPlacementStrips) {
  Reviewer allowing("exempt: {byAnnotation: true}\nrules: {privileged: strip}");
  Json object = windows_pod();
  container(object)["securityContext"] = {{"privileged", true}};
  object["metadata"]["annotations"] = {{"winadmit.dev/ignore", "privileged"}};
  EXPECT_EQ(
      allowing.send("/mutate", create(object)).patch(),
      Json::array({{{"op", "remove"}, {"path", "/spec/containers/0/securityContext/privileged"}}}));
}

TEST(AdmitConfig, WhoRemovesTheAnnotationKeepsWhatWasAdmitted) {
  Reviewer allowing("exempt: {byAnnotation: true}");
  Json old_object = with_host_pid(windows_pod());
  old_object["metadata"]["annotations"] = {{"winadmit.dev/ignore", "host-pid"}};
  Json object = with_host_pid(windows_pod());
  object["spec"]["terminationGracePeriodSeconds"] = 1;
  const Answer answer = allowing.send("/validate", update(old_object, object));
  EXPECT_EQ(answer.warned(), Findings{"spec.hostPID (host-pid)"});
}

TEST(AdmitConfig, FindingsAreExemptByNamespaceAndRuleUntilTheLastDay) {
  struct Case {
    const char* name;
    const char* entry;
    Findings left;
  };
  const Findings both = {"spec.hostIPC (host-ipc)", "spec.hostPID (host-pid)"};
  const Case kCases[] = {
      {"a rule in the namespace", "{namespace: default, rule: host-pid, reason: r}", {both[0]}},
      {"a rule in every namespace", "{rule: host-pid, reason: r}", {both[0]}},
      {"every rule in the namespace", "{namespace: default, reason: r}", {}},
      {"another namespace", "{namespace: defaul, reason: r}", both},
      {"another rule", "{namespace: default, rule: host-users, reason: r}", both},
      {"not ended", "{rule: host-pid, reason: r, until: 2999-12-31}", {both[0]}},
      {"ended", "{rule: host-pid, reason: r, until: 2000-01-01}", both},
      {"ended, and another entry of the pair",
       "{rule: host-pid, reason: r, until: 2000-01-01}, {rule: host-pid, reason: r}",
       {both[0]}},
  };
  Json object = with_host_pid(windows_pod());
  object["spec"]["hostIPC"] = true;
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    Reviewer reviewer("exempt: {findings: [" + std::string(each.entry) + "]}");
    const Answer answer = reviewer.send("/validate", create(object));
    EXPECT_EQ(answer.allowed(), each.left.empty());
    if (!answer.allowed()) {
      EXPECT_EQ(answer.refused(), each.left);
    }
    const Json notes = answer.response.value("auditAnnotations", Json::object());
    EXPECT_EQ(notes.contains("ignored"), each.left != both);
  }
}

TEST(AdmitConfig, AnExemptionIsForModeAuditAndForWorkloadsToo) {
  Reviewer reviewer("exempt: {findings: [{namespace: default, rule: host-pid, reason: r}]}");
  const Json object = with_host_pid(windows_pod());
  EXPECT_EQ(reviewer.send("/validate/audit", create(object)).response.at("auditAnnotations"),
            (Json{{"ignored", "host-pid"}}));
  const Json deployment = workload("Deployment", object["spec"]);
  const Answer answer = reviewer.send("/validate", create(deployment, "Deployment"));
  EXPECT_TRUE(answer.warnings().empty());
  EXPECT_EQ(answer.response.at("auditAnnotations"), (Json{{"ignored", "host-pid"}}));
}

TEST(AdmitConfig, AnExemptPodIsPlaced) {
  Reviewer reviewer("exempt: {findings: [{namespace: default, reason: r}]}");
  const Json object = with_host_pid(pod({{"nodeSelector", kWindowsSelector}}));
  EXPECT_EQ(reviewer.send("/mutate", create(object)).patch(), kAddKepTolerations);
}

TEST(AdmitConfig, AnExemptionIsNoReasonToAllowWhatCannotBeRead) {
  Reviewer reviewer("exempt: {findings: [{namespace: default, reason: r}]}");
  EXPECT_FALSE(reviewer.send("/validate", create(windows_pod({{"hostPID", "yes"}}))).allowed());
}

TEST(AdmitConfig, APodOfAnExemptionThatHasEndedKeepsWorking) {
  Reviewer reviewer("exempt: {findings: [{rule: host-pid, reason: r, until: 2000-01-01}]}");
  const Json old_object = with_host_pid(windows_pod());
  Json object = old_object;
  object["spec"]["terminationGracePeriodSeconds"] = 1;
  EXPECT_EQ(reviewer.send("/validate", update(old_object, object)).warned(),
            Findings{"spec.hostPID (host-pid)"});
}

TEST(AdmitConfig, ARefusalListsAllFindingsWithFieldAndRule) {
  Reviewer reviewer;
  Json object = with_host_pid(windows_pod());
  object["spec"]["hostIPC"] = true;
  container(object)["securityContext"] = {{"privileged", true}};
  const Answer answer = reviewer.send("/validate", create(object));
  EXPECT_EQ(answer.response["status"]["reason"], "Forbidden");
  EXPECT_EQ(answer.response["status"]["status"], "Failure");
  EXPECT_EQ(answer.code(), 403);
  const Findings refused = answer.refused();
  EXPECT_EQ(refused.size(), 3U);
  for (const Json& cause : answer.response["status"]["details"]["causes"]) {
    EXPECT_FALSE(cause["message"].get<std::string>().empty());
    EXPECT_NE(answer.message().find('(' + cause["reason"].get<std::string>() + ')'),
              std::string::npos);
  }
}

TEST(AdmitConfig, SetOsStripsFieldsThatTheApiServerRefusesBesideIt) {
  Reviewer reviewer("setOs: true");
  Json object = windows_pod();
  object["spec"]["hostPID"] = false;
  container(object)["securityContext"] = {{"privileged", false},
                                          {"runAsNonRoot", true},
                                          {"windowsOptions", {{"runAsUserName", "ContainerUser"}}},
                                          {"capabilities", {{"drop", {"ALL"}}}}};
  const Answer answer = reviewer.send("/mutate", create(object));
  const Json after = patched(object, answer);
  EXPECT_EQ(after["spec"]["os"], (Json{{"name", "windows"}}));
  EXPECT_FALSE(after["spec"]["containers"][0]["securityContext"].contains("privileged"));
  EXPECT_FALSE(after["spec"]["containers"][0]["securityContext"].contains("capabilities"));
  EXPECT_EQ(after["spec"]["containers"][0]["securityContext"]["runAsNonRoot"], true);
  EXPECT_TRUE(reviewer.send("/validate", create(after)).is_plain_allow())
      << reviewer.send("/validate", create(after)).body;
  EXPECT_EQ(reviewer.send("/mutate", create(after)).patch(), Json::array());
}

TEST(AdmitConfig, SetOsDoesNotApplyToAPodThatIsRefused) {
  Reviewer reviewer("setOs: true");
  const Json object = with_host_pid(windows_pod());
  EXPECT_EQ(reviewer.send("/mutate", create(object)).patch(), Json::array());
  EXPECT_FALSE(reviewer.send("/validate", create(object)).allowed());
}

TEST(AdmitConfig, StripRemovesTheFieldOnMutate) {
  Reviewer reviewer("rules: {privileged: strip}");
  Json object = windows_pod();
  container(object)["securityContext"] = {{"privileged", true}, {"readOnlyRootFilesystem", false}};
  const Answer answer = reviewer.send("/mutate", create(object));
  EXPECT_EQ(
      answer.patch(),
      Json::array({{{"op", "remove"}, {"path", "/spec/containers/0/securityContext/privileged"}}}));
  EXPECT_TRUE(reviewer.send("/validate", create(patched(object, answer))).is_plain_allow());
}

}  // namespace
}  // namespace winadmit::test
