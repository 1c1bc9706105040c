// Updates: the findings of the old object are warnings, new ones are judged.
#include <gtest/gtest.h>

#include "tests/server/handler/reviewer.hpp"

namespace winadmit::test {
namespace {

using Findings = std::vector<std::string>;

TEST(AdmitUpdate, OfLabelsHasNoWarnings) {
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

TEST(AdmitUpdate, OfTheLabelThatTheKubeletComparesIsJudged) {
  Reviewer warning, denying("rules: {advice-os-label: deny}");
  const Json old = windows_pod();
  Json labelled = old;
  labelled["metadata"]["labels"] = {{"kubernetes.io/os", "linux"}};
  EXPECT_EQ(warning.send("/validate", update(old, labelled)).warned(),
            Findings{"metadata.labels[kubernetes.io/os] (advice-os-label)"});
  EXPECT_FALSE(denying.send("/validate", update(old, labelled)).allowed());
  EXPECT_TRUE(denying.send("/validate", update(labelled, old)).is_plain_allow());
}

TEST(AdmitUpdate, OfAnnotationsIsJudgedIfThePolicyReadsThem) {
  Reviewer reviewer;
  const Json old = with_host_pid(windows_pod());
  const auto annotate = [&](const std::string& key, const std::string& value) {
    Json annotated = old;
    annotated["metadata"]["annotations"] = {{key, value}};
    return annotated;
  };
  const Json other = annotate("cni.projectcalico.org/podIP", "10.0.0.9");
  EXPECT_TRUE(reviewer.send("/validate", update(old, other)).is_plain_allow());
  EXPECT_TRUE(reviewer.send("/validate", update(other, old)).is_plain_allow());
  const Json denied = annotate("container.apparmor.security.beta.kubernetes.io/app", "localhost/a");
  EXPECT_FALSE(reviewer.send("/validate", update(old, denied)).allowed());
  EXPECT_EQ(reviewer.send("/validate", update(denied, old)).warned(),
            Findings{"spec.hostPID (host-pid)"});
}

TEST(AdmitUpdate, OfTheOrderOfContainersIsAChange) {
  Reviewer reviewer;
  Json old = with_host_pid(windows_pod());
  old["spec"]["containers"].push_back({{"name", "b"}, {"image", "registry.example/b:1"}});
  Json swapped = old;
  std::swap(container(swapped, 0), container(swapped, 1));
  EXPECT_EQ(reviewer.send("/validate", update(old, swapped)).warned(),
            Findings{"spec.hostPID (host-pid)"});
}

TEST(AdmitUpdate, RefusesNewDenialsAndWarnsOfOldOnes) {
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

TEST(AdmitUpdate, RefusesAForbiddenFieldWithANewValue) {
  Reviewer reviewer;
  Json old = windows_pod();
  container(old)["securityContext"] = {{"seLinuxOptions", {{"level", "s0"}}}};
  Json changed = old;
  container(changed)["securityContext"]["seLinuxOptions"]["level"] = "s1";
  EXPECT_FALSE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, RefusesAFieldWhoseExceptionWasRemoved) {
  Reviewer reviewer;
  const Json old = windows_pod(
      {{"hostNetwork", true},
       {"securityContext",
        {{"windowsOptions", {{"hostProcess", true}, {"runAsUserName", "NT AUTHORITY\\SYSTEM"}}}}}});
  EXPECT_TRUE(reviewer.send("/validate", create(old)).is_plain_allow());
  Json changed = old;
  changed["spec"]["securityContext"]["windowsOptions"]["hostProcess"] = false;
  EXPECT_FALSE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, AllowsAChangeBesideAForbiddenEntry) {
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

TEST(AdmitUpdate, ComparesSetsByTheirContent) {
  Reviewer reviewer;
  Json old = windows_pod();
  container(old)["securityContext"] = {{"capabilities", {{"add", {"NET_ADMIN", "SYS_TIME"}}}}};
  Json changed = old;
  container(changed)["securityContext"]["capabilities"]["add"] = {"SYS_TIME", "NET_ADMIN"};
  EXPECT_TRUE(reviewer.send("/validate", update(old, changed)).allowed());
  container(changed)["securityContext"]["capabilities"]["add"] = {"SYS_TIME", "SYS_ADMIN"};
  EXPECT_FALSE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, AllowsAnotherImageBesideAForbiddenPairOfFields) {
  Reviewer reviewer;
  Json old = windows_pod();
  container(old)["securityContext"] = {
      {"runAsNonRoot", true}, {"windowsOptions", {{"runAsUserName", "ContainerAdministrator"}}}};
  EXPECT_FALSE(reviewer.send("/validate", create(old)).allowed());
  Json changed = old;
  container(changed)["image"] = "registry.example/app:2";
  EXPECT_TRUE(reviewer.send("/validate", update(old, changed)).allowed());
}

TEST(AdmitUpdate, ComparesContainersWithTheSameNameByTheirValues) {
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

TEST(AdmitUpdate, FindsAMovedContainerByItsName) {
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

TEST(AdmitUpdate, FindsAMovedPortByItsNumber) {
  Reviewer reviewer("workloads: deny\nrules: {ports-protocol: deny}\n");
  const Json web = {{"containerPort", 80}}, sctp = {{"containerPort", 81}, {"protocol", "SCTP"}};
  const auto with_ports = [](const Json& ports) {
    Json object = workload("Deployment", windows_pod()["spec"]);
    object["spec"]["template"]["spec"]["containers"][0]["ports"] = ports;
    return object;
  };
  const auto is_allowed = [&](const Json& before, const Json& after) {
    return reviewer.send("/validate", update(with_ports(before), with_ports(after), "Deployment"))
        .allowed();
  };
  EXPECT_TRUE(is_allowed(Json::array({sctp}), Json::array({web, sctp})));
  EXPECT_TRUE(is_allowed(Json::array({web, sctp}), Json::array({sctp})));
  Json other = sctp;
  other["containerPort"] = 99;
  EXPECT_FALSE(is_allowed(Json::array({sctp}), Json::array({other})));
  EXPECT_FALSE(is_allowed(Json::array({sctp}), Json::array({other, sctp})));
}

TEST(AdmitUpdate, FindsAMovedItemOfAProjectedSourceByItsPath) {
  Reviewer reviewer("workloads: deny\nkubernetesVersion: '1.21'\n");
  const Json plain = {{"key", "b"}, {"path", "b"}},
             with_mode = {{"key", "a"}, {"path", "a"}, {"mode", 256}};
  const Json other = {{"configMap", {{"name", "c"}}}};
  const auto with_items = [&](const Json& items, const Json& before = {}) {
    Json sources = before.is_null() ? Json::array() : Json::array({before});
    sources.push_back({{"secret", {{"name", "s"}, {"items", items}}}});
    Json object = workload("Deployment", windows_pod()["spec"]);
    object["spec"]["template"]["spec"]["volumes"] = {
        {{"name", "v"}, {"projected", {{"sources", sources}}}}};
    return object;
  };
  const auto is_allowed = [&](const Json& before, const Json& after) {
    return reviewer.send("/validate", update(before, after, "Deployment")).allowed();
  };
  EXPECT_FALSE(
      is_allowed(with_items(Json::array({plain})), with_items(Json::array({plain, with_mode}))));
  EXPECT_TRUE(is_allowed(with_items(Json::array({with_mode})),
                         with_items(Json::array({plain, with_mode}))));
  EXPECT_TRUE(is_allowed(with_items(Json::array({plain, with_mode})),
                         with_items(Json::array({with_mode}))));
  EXPECT_TRUE(is_allowed(with_items(Json::array({with_mode})),
                         with_items(Json::array({with_mode}), other)));
  Json replaced = with_mode;
  replaced["path"] = "z";
  EXPECT_FALSE(
      is_allowed(with_items(Json::array({with_mode})), with_items(Json::array({replaced}))));
}

TEST(AdmitUpdate, TreatsAllFindingsAsNewIfTheOsChanged) {
  Reviewer reviewer;
  const Json old = with_host_pid(pod({{"schedulingGates", Json::array({{{"name", "g"}}})}}));
  Json gains = old;
  gains["spec"]["nodeSelector"] = kWindowsSelector;
  const Answer refused = reviewer.send("/validate", update(old, gains));
  EXPECT_FALSE(refused.allowed());
  EXPECT_NE(refused.message().find("(host-pid)"), std::string::npos);

  // The API server allows an update to add tolerations, not a selector.
  EXPECT_EQ(reviewer.send("/mutate", update(old, gains)).patch(), kAddKepTolerations);
}

TEST(AdmitUpdate, PlacesAPodThatGainsABuild) {
  Reviewer reviewer("unplaced: deny");
  Json old = windows_pod({{"schedulingGates", Json::array({{{"name", "g"}}})}});
  Json gains = old;
  gains["spec"]["nodeSelector"]["node.kubernetes.io/windows-build"] = "10.0.20348";
  const Json placed = patched(gains, reviewer.send("/mutate", update(old, gains)));
  EXPECT_EQ(placed["spec"]["tolerations"].size(), 2U);
  EXPECT_TRUE(reviewer.send("/validate", update(old, placed)).is_plain_allow());
}

TEST(AdmitUpdate, AnEphemeralContainerDoesNotChangeTheOsOfLaterUpdates) {
  Reviewer reviewer;
  Json old = pod(Json::object());
  old["spec"]["ephemeralContainers"] = Json::array(
      {{{"name", "e1"}, {"securityContext", {{"windowsOptions", {{"runAsUserName", "x"}}}}}}});
  Json second = old;
  second["spec"]["ephemeralContainers"].push_back(
      {{"name", "e2"}, {"securityContext", {{"privileged", true}}}});
  EXPECT_TRUE(reviewer.send("/validate", update(old, second, "Pod", "ephemeralcontainers"))
                  .is_plain_allow());
}

TEST(AdmitUpdate, DoesNotPlaceAPodThatWasAWindowsPodBefore) {
  Reviewer reviewer;
  Json old = pod({{"nodeSelector", kWindowsSelector}});
  Json changed = old;
  container(changed)["image"] = "registry.example/app:2";
  EXPECT_EQ(reviewer.send("/mutate", update(old, changed)).patch(), Json::array());
  const Answer answer = reviewer.send("/validate", update(old, changed));
  EXPECT_EQ(answer.warned(), Findings{"spec (advice-unplaced)"});
}

TEST(AdmitUpdate, RestoresThePlacementOfAManifestThatIsAppliedAgain) {
  Reviewer reviewer;
  const Json sent = pod({{"nodeSelector", kWindowsSelector}});
  Json old = sent;
  old["spec"]["tolerations"] = {
      {{"key", "os"}, {"operator", "Equal"}, {"value", "Win1809"}, {"effect", "NoSchedule"}}};
  const Json patch = reviewer.send("/mutate", update(old, sent)).patch();
  ASSERT_EQ(patch.size(), 1U) << patch;
  EXPECT_EQ(patch[0]["path"], "/spec/tolerations");
  EXPECT_EQ(patch[0]["value"], old["spec"]["tolerations"]);
  EXPECT_EQ(reviewer.send("/mutate", update(old, old)).patch(), Json::array());
}

TEST(AdmitUpdate, IsJudgedDespiteADeletionTimestamp) {
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

TEST(AdmitUpdate, AloneReadsTheOldObject) {
  Reviewer reviewer;
  const Json object = with_host_pid(windows_pod());
  Json review = update(object, object);
  EXPECT_TRUE(reviewer.send("/validate", review).allowed());
  request(review)["operation"] = "CREATE";
  EXPECT_FALSE(reviewer.send("/validate", review).allowed());
}

}  // namespace
}  // namespace winadmit::test
