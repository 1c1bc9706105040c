// Workloads: their pod templates, and the placement of DaemonSets.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/server/handler/reviewer.hpp"

namespace winadmit::test {
namespace {

using Findings = std::vector<std::string>;

Json owned_by_daemon_set(Json object) {
  object["metadata"]["ownerReferences"] = Json::array(
      {{{"apiVersion", "apps/v1"}, {"kind", "DaemonSet"}, {"name", "d"}, {"controller", true}}});
  return object;
}

TEST(AdmitWorkload, PlacesTheTemplateOfADaemonSet) {
  Reviewer reviewer;
  const Json object = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  const Json patch = reviewer.send("/mutate", create(object, "DaemonSet")).patch();
  EXPECT_EQ(patch, Json::array({{{"op", "add"},
                                 {"path", "/spec/template/spec/tolerations"},
                                 {"value", Json::array({kKepToleration})}}}));
  Reviewer off("placeDaemonSets: false");
  EXPECT_EQ(off.send("/mutate", create(object, "DaemonSet")).patch(), Json::array());
}

TEST(AdmitWorkload, DoesNotPatchADaemonSetWithAnUnchangedTemplate) {
  Reviewer reviewer;
  const Json old = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  Json labelled = old;
  labelled["metadata"]["labels"] = {{"a", "b"}};
  EXPECT_EQ(reviewer.send("/mutate", update(old, labelled, "DaemonSet")).patch(), Json::array());
}

TEST(AdmitWorkload, DoesNotPatchAPlacedDaemonSetWhoseLabelsChange) {
  Reviewer reviewer("setOs: true\nrules: {run-as-user: strip}");
  const Json placed = workload("DaemonSet", {{"nodeSelector", kWindowsSelector},
                                             {"securityContext", {{"runAsUser", 1}}},
                                             {"tolerations", Json::array({kKepToleration})}});
  Json labelled = placed;
  labelled["metadata"]["labels"] = {{"a", "b"}};
  EXPECT_EQ(reviewer.send("/mutate", update(placed, labelled, "DaemonSet")).patch(), Json::array());
}

TEST(AdmitWorkload, PlacesTheChangedTemplateOfADaemonSet) {
  Reviewer reviewer;
  const Json old = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  Json changed = old;
  changed["spec"]["template"]["spec"]["containers"][0]["image"] = "registry.example/app:2";
  EXPECT_EQ(reviewer.send("/mutate", update(old, changed, "DaemonSet")).patch().size(), 1U);
}

TEST(AdmitWorkload, PlacesADaemonSetAgainThatIsReplaced) {
  Reviewer reviewer;
  const Json manifest = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  const Json placed = patched(manifest, reviewer.send("/mutate", create(manifest, "DaemonSet")));
  const Answer answer = reviewer.send("/mutate", update(placed, manifest, "DaemonSet"));
  EXPECT_EQ(nlohmann::json(patched(manifest, answer)), nlohmann::json(placed));
  EXPECT_EQ(reviewer.send("/mutate", update(placed, placed, "DaemonSet")).patch(), Json::array());
}

/// kubectl apply leaves what winadmit added, and sends again what it removed.
TEST(AdmitWorkload, RemovesTheFieldsBesideSpecOsFromADaemonSetThatIsAppliedAgain) {
  Reviewer reviewer("setOs: true");
  Json manifest = workload("DaemonSet", {{"nodeSelector", kWindowsSelector}});
  Json& spec = manifest["spec"]["template"]["spec"];
  spec["containers"][0]["securityContext"] = {{"allowPrivilegeEscalation", false},
                                              {"capabilities", {{"drop", {"ALL"}}}}};
  const Json placed = patched(manifest, reviewer.send("/mutate", create(manifest, "DaemonSet")));
  ASSERT_EQ(placed["spec"]["template"]["spec"]["os"], Json({{"name", "windows"}}));
  spec["os"] = placed["spec"]["template"]["spec"]["os"];
  spec["tolerations"] = placed["spec"]["template"]["spec"]["tolerations"];
  const Answer applied = reviewer.send("/mutate", update(placed, manifest, "DaemonSet"));
  EXPECT_EQ(nlohmann::json(patched(manifest, applied)), nlohmann::json(placed));
  spec["containers"][0]["image"] = "registry.example/app:2";
  Json expected = placed;
  expected["spec"]["template"]["spec"]["containers"][0]["image"] = "registry.example/app:2";
  const Answer changed = reviewer.send("/mutate", update(placed, manifest, "DaemonSet"));
  EXPECT_EQ(nlohmann::json(patched(manifest, changed)), nlohmann::json(expected));
}

TEST(AdmitWorkload, SetsNoOsInAnUpdateOfADaemonSetThatNamesItsNode) {
  Reviewer reviewer("setOs: true");
  const Json old = workload("DaemonSet", {{"os", {{"name", "windows"}}}, {"nodeName", "n"}});
  Json changed = workload("DaemonSet", {{"nodeName", "n"}});
  changed["spec"]["template"]["spec"]["containers"][0]["image"] = "registry.example/app:2";
  const Json review = update(old, changed, "DaemonSet");
  const std::string patch = reviewer.send("/mutate/default-windows", review).patch().dump();
  EXPECT_EQ(patch.find("/spec/os"), std::string::npos) << patch;
}

TEST(AdmitWorkload, AddsTheSelectorToADaemonSetWithOnlySpecOs) {
  Reviewer reviewer;
  const Json object = workload("DaemonSet", {{"os", {{"name", "windows"}}}});
  EXPECT_EQ(reviewer.send("/mutate", create(object, "DaemonSet")).patch().size(), 2U);
}

TEST(AdmitWorkload, AddsOnlyTolerationsToThePodsOfADaemonSet) {
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

TEST(AdmitWorkload, SetsNoOsByDefaultForAPodThatNamesItsNode) {
  Reviewer reviewer("setOs: true");
  const Json debugger = pod({{"nodeName", "linux-a"}, {"hostPID", true}});
  EXPECT_EQ(reviewer.send("/mutate/default-windows", create(debugger)).patch(), kAddKepTolerations);
  EXPECT_EQ(reviewer.send("/mutate/default-linux", create(debugger)).patch(), Json::array());
}

TEST(AdmitWorkload, JudgesTemplatesInEveryModeByTheDefaultOs) {
  Reviewer reviewer;
  const Json review = create(workload("Deployment", {{"hostPID", true}}), "Deployment");
  const Findings found = {"spec.template.spec.hostPID (host-pid)"};
  EXPECT_EQ(reviewer.send("/validate/default-windows", review).warned(), found);
  EXPECT_EQ(reviewer.send("/validate/warn/default-windows", review).warned(), found);
  EXPECT_TRUE(reviewer.send("/validate/warn", review).is_plain_allow());
  EXPECT_TRUE(reviewer.send("/validate/audit", review).is_plain_allow());
  const Answer audited = reviewer.send("/validate/audit/default-windows", review);
  EXPECT_TRUE(audited.allowed());
  EXPECT_EQ(audited.warned(), Findings{});
  EXPECT_TRUE(audited.response.at("auditAnnotations").contains("host-pid"));
}

TEST(AdmitWorkload, AllowsThePodsOfADaemonSetToBeOrphaned) {
  Reviewer reviewer("unplaced: deny");
  const Json orphan =
      pod({{"os", {{"name", "windows"}}}, {"tolerations", Json::array({kKepToleration})}});
  EXPECT_TRUE(reviewer.send("/validate", update(owned_by_daemon_set(orphan), orphan)).allowed());
}

TEST(AdmitWorkload, WarnsOrDeniesAsConfigured) {
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

TEST(AdmitWorkload, WarnsOfARestartWhichOnlyAnnotatesTheTemplate) {
  Reviewer reviewer;
  const Json old = workload("Deployment", {{"nodeSelector", kWindowsSelector}, {"hostPID", true}});
  Json restarted = old;
  restarted["spec"]["template"]["metadata"]["annotations"] = {
      {"kubectl.kubernetes.io/restartedAt", "2026-11-26T00:00:00Z"}};
  EXPECT_EQ(reviewer.send("/validate", update(old, restarted, "Deployment")).warned(),
            Findings{"spec.template.spec.hostPID (host-pid)"});
  Json annotated = old;
  annotated["metadata"]["annotations"] = {{"a", "b"}};
  EXPECT_TRUE(reviewer.send("/validate", update(old, annotated, "Deployment")).is_plain_allow());
}

TEST(AdmitWorkload, KnowsTheExtensionsGroup) {
  Reviewer reviewer;
  Json review =
      create(workload("Deployment", {{"nodeSelector", kWindowsSelector}, {"hostPID", true}}),
             "Deployment");
  request(review)["kind"]["group"] = "extensions";
  request(review)["kind"]["version"] = "v1beta1";
  EXPECT_EQ(reviewer.send("/validate", review).warned().size(), 1U);
}

TEST(AdmitWorkload, ReportsFieldsFromTheRootOfTheWorkload) {
  Reviewer reviewer;
  const Json object = workload("CronJob", {{"nodeSelector", kWindowsSelector}, {"hostPID", true}});
  EXPECT_EQ(reviewer.send("/validate", create(object, "CronJob")).warned(),
            Findings{"spec.jobTemplate.spec.template.spec.hostPID (host-pid)"});
}

}  // namespace
}  // namespace winadmit::test
