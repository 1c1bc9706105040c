// Decisions in the light of operation, kind, subresource and the object that was there before.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/server/handler/reviewer.hpp"

namespace winadmit::test {
namespace {

using testing::Test;
using Findings = std::vector<std::string>;

Json owned_by_daemon_set(Json object) {
  object["metadata"]["ownerReferences"] = Json::array(
      {{{"apiVersion", "apps/v1"}, {"kind", "DaemonSet"}, {"name", "d"}, {"controller", true}}});
  return object;
}

// --- updates

TEST(AdmitUpdate, OfOtherThingsThanThePodIsSilent) {
  Reviewer reviewer;
  const Json old = with_host_pid(windows_pod());
  Json labelled = old;
  labelled["metadata"]["labels"] = {{"a", "b"}};
  EXPECT_TRUE(reviewer.send("/validate", update(old, labelled)).is_plain_allow());
  Json changed = old;
  changed["spec"]["activeDeadlineSeconds"] = 5;
  EXPECT_EQ(reviewer.send("/validate", update(old, changed)).warned(),
            Findings{"spec.hostPID (host-pid)"});
}

TEST(AdmitUpdate, JudgesWhatIsNewAndWarnsOfWhatIsOld) {
  Reviewer reviewer;
  const Json old = with_host_pid(windows_pod());
  Json changed = old;
  changed["spec"]["hostIPC"] = true;
  const Answer answer = reviewer.send("/validate", update(old, changed));
  EXPECT_FALSE(answer.allowed());
  EXPECT_EQ(answer.code(), 403);
  EXPECT_NE(answer.message().find("spec.hostIPC"), std::string::npos);

  Json with_image = old;
  container(with_image)["image"] = "registry.example/app:2";
  const Answer warned = reviewer.send("/validate", update(old, with_image));
  EXPECT_TRUE(warned.allowed());
  EXPECT_EQ(warned.warned(), Findings{"spec.hostPID (host-pid)"});
}

TEST(AdmitUpdate, RefusesAForbiddenFieldWhoseValueChanged) {
  Reviewer reviewer;
  Json old = windows_pod();
  container(old)["securityContext"] = {{"seLinuxOptions", {{"level", "s0"}}}};
  Json changed = old;
  container(changed)["securityContext"]["seLinuxOptions"]["level"] = "s1";
  EXPECT_FALSE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, JudgesWhatAnotherFieldExcusedBefore) {
  Reviewer reviewer;
  const Json old = windows_pod(
      {{"hostNetwork", true}, {"securityContext", {{"windowsOptions", {{"hostProcess", true}}}}}});
  EXPECT_TRUE(reviewer.send("/validate", create(old)).is_plain_allow());
  Json changed = old;
  changed["spec"]["securityContext"]["windowsOptions"]["hostProcess"] = false;
  EXPECT_FALSE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, TakesAChangeBesideAForbiddenEntryForNoNewOne) {
  Reviewer reviewer;
  Json old = windows_pod();
  container(old)["resources"]["limits"] = {{"cpu", "1"}, {"hugepages-2Mi", "4Mi"}};
  Json changed = old;
  container(changed)["resources"]["limits"]["cpu"] = "2";
  const Answer answer = reviewer.send("/validate", update(old, changed));
  EXPECT_TRUE(answer.allowed()) << answer.body;
  EXPECT_EQ(answer.warned(),
            Findings{"spec.containers[0].resources.limits[hugepages-2Mi] (hugepages)"});
  container(changed)["resources"]["limits"]["hugepages-2Mi"] = "8Mi";
  EXPECT_FALSE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, ComparesListsThatAreSetsByTheirContent) {
  Reviewer reviewer;
  Json old = windows_pod();
  container(old)["securityContext"] = {{"capabilities", {{"add", {"NET_ADMIN", "SYS_TIME"}}}}};
  Json changed = old;
  container(changed)["securityContext"]["capabilities"]["add"] = {"SYS_TIME", "NET_ADMIN"};
  EXPECT_TRUE(reviewer.send("/validate", update(old, changed)).allowed());
  container(changed)["securityContext"]["capabilities"]["add"] = {"SYS_TIME", "SYS_ADMIN"};
  EXPECT_FALSE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, TakesAnotherImageBesideAForbiddenPairOfFieldsForNoNewOne) {
  Reviewer reviewer;
  Json old = windows_pod();
  container(old)["securityContext"] = {
      {"runAsNonRoot", true}, {"windowsOptions", {{"runAsUserName", "ContainerAdministrator"}}}};
  EXPECT_FALSE(reviewer.send("/validate", create(old)).allowed());
  Json changed = old;
  container(changed)["image"] = "registry.example/app:2";
  EXPECT_TRUE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, TellsContainersOfOneNameApartByTheirValues) {
  Reviewer reviewer;
  const auto named_twice = [](const char* first, const char* second) {
    Json object = windows_pod();
    object["spec"]["containers"] = Json::array();
    for (const char* level : {first, second}) {
      object["spec"]["containers"].push_back(
          {{"name", "c"}, {"securityContext", {{"seLinuxOptions", {{"level", level}}}}}});
    }
    return object;
  };
  EXPECT_TRUE(
      reviewer.send("/validate", update(named_twice("a", "b"), named_twice("b", "a"))).allowed());
  EXPECT_FALSE(
      reviewer.send("/validate", update(named_twice("a", "b"), named_twice("a", "c"))).allowed());
}

TEST(AdmitUpdate, KnowsAContainerByItsNameWhereverItStands) {
  Reviewer reviewer;
  Json old = windows_pod();
  container(old)["securityContext"] = {{"privileged", true}};
  Json changed = old;
  const Json first = {{"name", "first"}, {"image", "a"}};
  changed["spec"]["containers"] = Json::array({first, container(old)});
  const Answer answer = reviewer.send("/validate", update(old, changed));
  EXPECT_TRUE(answer.allowed()) << answer.body;
  EXPECT_EQ(answer.warned().size(), 1U);
}

TEST(AdmitUpdate, JudgesAllAnewWhereTheOsVerdictChanged) {
  Reviewer reviewer;
  const Json old = with_host_pid(pod({{"schedulingGates", Json::array({{{"name", "g"}}})}}));
  Json gains = old;
  gains["spec"]["nodeSelector"] = kWindowsSelector;
  const Answer refused = reviewer.send("/validate", update(old, gains));
  EXPECT_FALSE(refused.allowed());
  EXPECT_NE(refused.message().find("(host-pid)"), std::string::npos);

  // Of placement only tolerations may be added to a pod that is there.
  EXPECT_EQ(reviewer.send("/mutate", update(old, gains)).patch(), kAddKepTolerations);
}

TEST(AdmitUpdate, DoesNotPlaceAPodThatWasWindowsBefore) {
  Reviewer reviewer;
  Json old = pod({{"nodeSelector", kWindowsSelector}});
  Json changed = old;
  container(changed)["image"] = "registry.example/app:2";
  EXPECT_EQ(reviewer.send("/mutate", update(old, changed)).patch(), Json::array());
  const Answer answer = reviewer.send("/validate", update(old, changed));
  EXPECT_EQ(answer.warned(), Findings{"spec (advice-unplaced)"});
}

TEST(AdmitUpdate, IsNotSkippedForADeletionTimestamp) {
  Reviewer reviewer;
  Json old = windows_pod();
  old["metadata"]["deletionTimestamp"] = "2026-11-21T00:00:00Z";
  EXPECT_FALSE(reviewer.send("/validate", update(old, with_host_pid(old))).allowed());
}

TEST(AdmitUpdate, WithoutAnOldObjectIsJudgedAsNew) {
  Reviewer reviewer;
  Json review = update(Json(), with_host_pid(windows_pod()));
  EXPECT_FALSE(reviewer.send("/validate", review).allowed());
}

// --- subresources

TEST(AdmitSubresource, TakesTheOsFromTheOldObject) {
  Reviewer reviewer;
  const Json debugger = {{"name", "d"},
                         {"image", "busybox"},
                         {"securityContext", {{"windowsOptions", {{"hostProcess", true}}}}}};
  const Json linux_pod = pod({{"nodeSelector", kLinuxSelector}});
  const Json unknown_pod = pod(Json::object());
  for (const Json& old : {linux_pod, unknown_pod}) {
    Json debugged = old;
    debugged["spec"]["ephemeralContainers"] = Json::array({debugger});
    debugged["spec"]["ephemeralContainers"][0]["securityContext"]["privileged"] = true;
    const Answer answer =
        reviewer.send("/validate", update(old, debugged, "Pod", "ephemeralcontainers"));
    EXPECT_TRUE(answer.allowed()) << answer.body;
    EXPECT_EQ(reviewer.send("/mutate", update(old, debugged, "Pod", "ephemeralcontainers")).patch(),
              Json::array());
  }
  Json resized = linux_pod;
  resized["spec"]["nodeSelector"] = kWindowsSelector;
  resized["spec"]["hostPID"] = true;
  EXPECT_TRUE(reviewer.send("/validate", update(linux_pod, resized, "Pod", "resize")).allowed());
}

TEST(AdmitSubresource, JudgesAnEphemeralContainerOfAWindowsPod) {
  Reviewer reviewer;
  const Json old = windows_pod();
  Json debugged = old;
  debugged["spec"]["ephemeralContainers"] = Json::array(
      {{{"name", "d"}, {"image", "busybox"}, {"securityContext", {{"privileged", true}}}}});
  EXPECT_FALSE(
      reviewer.send("/validate", update(old, debugged, "Pod", "ephemeralcontainers")).allowed());
  // What plain `kubectl debug` adds is a warning.
  debugged["spec"]["ephemeralContainers"][0]["securityContext"] = {
      {"capabilities", {{"add", {"SYS_PTRACE"}}}}};
  const Answer answer =
      reviewer.send("/validate", update(old, debugged, "Pod", "ephemeralcontainers"));
  EXPECT_TRUE(answer.allowed()) << answer.body;
  EXPECT_EQ(answer.warned().size(), 1U);
}

TEST(AdmitSubresource, IsSkippedOnlyIfItCannotChangeASpec) {
  Reviewer reviewer;
  Json review = create(with_host_pid(windows_pod()));
  for (const std::string harmless : {"status", "binding", "eviction", "exec", "attach",
                                     "portforward", "log", "proxy", "scale"}) {
    SCOPED_TRACE(harmless);
    request(review)["subResource"] = harmless;
    EXPECT_TRUE(reviewer.send("/validate", review).is_plain_allow());
  }
  request(review)["subResource"] = "novelty";
  EXPECT_FALSE(reviewer.send("/validate", review).allowed());
}

TEST(Admit, SkipsWhatIsNeitherCreatedNorUpdated) {
  Reviewer reviewer;
  Json review = create(with_host_pid(windows_pod()));
  for (const std::string operation : {"DELETE", "CONNECT"}) {
    SCOPED_TRACE(operation);
    request(review)["operation"] = operation;
    request(review)["object"] = nullptr;
    EXPECT_TRUE(reviewer.send("/validate", review).is_plain_allow());
    EXPECT_TRUE(reviewer.send("/mutate", review).is_plain_allow());
  }
}

TEST(Admit, SkipsKindsThatHoldNoPod) {
  Reviewer reviewer;
  EXPECT_TRUE(
      reviewer.send("/validate", create({{"data", Json::object()}}, "ConfigMap")).is_plain_allow());
}

// --- DaemonSets

TEST(AdmitDaemonSet, IsPlacedInItsTemplate) {
  Reviewer reviewer;
  const Json object = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  const Json patch = reviewer.send("/mutate", create(object, "DaemonSet")).patch();
  EXPECT_EQ(patch, Json::array({{{"op", "add"},
                                 {"path", "/spec/template/spec/tolerations"},
                                 {"value", Json::array({kKepToleration})}}}));
  Reviewer off("placeDaemonSets: false");
  EXPECT_EQ(off.send("/mutate", create(object, "DaemonSet")).patch(), Json::array());
}

TEST(AdmitDaemonSet, IsNotRolledForAChangeOutsideOfTheTemplate) {
  Reviewer reviewer;
  const Json old = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  Json labelled = old;
  labelled["metadata"]["labels"] = {{"a", "b"}};
  EXPECT_EQ(reviewer.send("/mutate", update(old, labelled, "DaemonSet")).patch(), Json::array());
}

TEST(AdmitDaemonSet, IsPlacedAgainWhereItsTemplateChanged) {
  Reviewer reviewer;
  const Json old = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  Json changed = old;
  changed["spec"]["template"]["spec"]["containers"][0]["image"] = "registry.example/app:2";
  EXPECT_EQ(reviewer.send("/mutate", update(old, changed, "DaemonSet")).patch().size(), 1U);
}

TEST(AdmitDaemonSet, KeepsWhatWasPlacedWhenItIsReplacedAsAWhole) {
  Reviewer reviewer;
  const Json manifest = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  const Json placed = patched(manifest, reviewer.send("/mutate", create(manifest, "DaemonSet")));
  const Answer answer = reviewer.send("/mutate", update(placed, manifest, "DaemonSet"));
  EXPECT_EQ(nlohmann::json(patched(manifest, answer)), nlohmann::json(placed));
  EXPECT_EQ(reviewer.send("/mutate", update(placed, placed, "DaemonSet")).patch(), Json::array());
}

TEST(AdmitDaemonSet, GetsTheSelectorWhereOnlySpecOsSpeaks) {
  Reviewer reviewer;
  const Json object = workload("DaemonSet", {{"os", {{"name", "windows"}}}});
  EXPECT_EQ(reviewer.send("/mutate", create(object, "DaemonSet")).patch().size(), 2U);
}

TEST(AdmitDaemonSet, OwnsPodsThatGetTheTolerationOnly) {
  Reviewer reviewer;
  const Json object = owned_by_daemon_set(pod({{"os", {{"name", "windows"}}}}));
  const Answer answer = reviewer.send("/mutate", create(object));
  EXPECT_EQ(answer.patch(), kAddKepTolerations);
  EXPECT_TRUE(reviewer.send("/validate", create(patched(object, answer))).is_plain_allow());
  Reviewer setting_os("setOs: true");
  EXPECT_EQ(setting_os
                .send("/mutate",
                      create(owned_by_daemon_set(pod(
                          {{"securityContext", {{"windowsOptions", {{"runAsUserName", "NT"}}}}}}))))
                .patch(),
            kAddKepTolerations)
      << "spec.os is never set without the selector";
}

// --- workloads

TEST(AdmitWorkload, IsWarnedOrDeniedAsConfigured) {
  Reviewer warning, denying("workloads: deny");
  for (const PodKind& kind : pod_kinds()) {
    if (kind.is_pod()) continue;
    SCOPED_TRACE(kind.kind);
    const Json object =
        workload(kind.kind, {{"nodeSelector", kWindowsSelector}, {"hostPID", true}});
    const Answer warned = warning.send("/validate", create(object, kind.kind));
    EXPECT_TRUE(warned.allowed());
    ASSERT_GE(warned.warned().size(), 1U);
    const bool found = std::ranges::any_of(warned.warned(), [](const std::string& text) {
      return text.ends_with("hostPID (host-pid)");
    });
    EXPECT_TRUE(found) << warned.body;
    EXPECT_FALSE(denying.send("/validate", create(object, kind.kind)).allowed());
    if (!kind.is_daemon_set()) {
      EXPECT_EQ(warning.send("/mutate", create(object, kind.kind)).patch(), Json::array());
      EXPECT_EQ(warned.body.find("advice-unplaced"), std::string::npos)
          << "its pods will be placed, not it";
    }
  }
}

TEST(AdmitWorkload, OfTheOldExtensionsGroupIsAWorkloadToo) {
  Reviewer reviewer;
  Json review =
      create(workload("Deployment", {{"nodeSelector", kWindowsSelector}, {"hostPID", true}}),
             "Deployment");
  request(review)["kind"]["group"] = "extensions";
  request(review)["kind"]["version"] = "v1beta1";
  EXPECT_EQ(reviewer.send("/validate", review).warned().size(), 1U);
}

TEST(AdmitWorkload, FindingNamesTheFieldFromTheWorkloadsRoot) {
  Reviewer reviewer;
  const Json object = workload("CronJob", {{"nodeSelector", kWindowsSelector}, {"hostPID", true}});
  EXPECT_EQ(reviewer.send("/validate", create(object, "CronJob")).warned(),
            Findings{"spec.jobTemplate.spec.template.spec.hostPID (host-pid)"});
}

// --- mirror pods

TEST(AdmitMirrorPod, IsLeftAloneByAllThreeSignsOnly) {
  Reviewer reviewer;
  struct Case {
    const char* name;
    bool annotated, bound, by_node, left_alone;
  };
  constexpr Case kCases[] = {
      {"all three", true, true, true, true},           {"no annotation", false, true, true, false},
      {"not bound", true, false, true, false},         {"not a node", true, true, false, false},
      {"annotation alone", true, false, false, false},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    Json object = with_host_pid(pod({{"nodeSelector", kWindowsSelector}}));
    if (each.annotated) {
      object["metadata"]["annotations"] = {{"kubernetes.io/config.mirror", "1f"}};
    }
    if (each.bound) object["spec"]["nodeName"] = "node-1";
    Json review = create(object);
    if (each.by_node) request(review)["userInfo"]["groups"].push_back("system:nodes");
    EXPECT_EQ(reviewer.send("/mutate", review).patch().empty(), each.left_alone);
    EXPECT_EQ(reviewer.send("/validate", review).allowed(), each.left_alone);
  }
}

}  // namespace
}  // namespace winadmit::test
