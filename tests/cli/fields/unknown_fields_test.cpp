#include "cli/fields/unknown_fields.hpp"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <string_view>

namespace winadmit::cli {
namespace {

UnknownFields find_in(std::string_view kind, const std::string& json,
                      Version kubernetes = kNewestVersion) {
  const bool is_core = kind == "Pod";
  const bool is_batch = kind == "Job" || kind == "CronJob";
  const PodKind* const pod_kind = find_pod_kind(kind, is_core ? "" : is_batch ? "batch" : "apps");
  simdjson::dom::parser parser;
  return find_unknown_fields(parser.parse(json).get_object().value(), *pod_kind, kubernetes);
}

/// "spec.nodeselector: write nodeSelector; ..."
std::string found_in(std::string_view kind, const std::string& json,
                     Version kubernetes = kNewestVersion) {
  std::string text;
  for (const UnknownField& each : find_in(kind, json, kubernetes).kept) {
    if (!text.empty()) text += "; ";
    text += std::string(each.is_placement ? "!" : "") + each.field + ": " + each.instead;
  }
  return text;
}

TEST(UnknownFields, AreDenialsWhereTheyPlacePods) {
  const std::map<std::string, std::string> specs = {
      {R"("nodeselector": {"a": "b"})", "!spec.nodeselector: write nodeSelector"},
      {R"("containers": [{"nodeSelector": {}}])",
       "!spec.containers[0].nodeSelector: nodeSelector belongs to spec"},
      {R"("securityContext": {"hostProcess": true})",
       "!spec.securityContext.hostProcess: hostProcess belongs to "
       "spec.securityContext.windowsOptions"},
      {R"("securityContext": {"windowsOptions": {"runAsNonRoot": true}})",
       "!spec.securityContext.windowsOptions.runAsNonRoot: runAsNonRoot belongs to "
       "spec.securityContext"},
      {R"("affinity": {"nodeSelectorTerms": []})",
       "!spec.affinity.nodeSelectorTerms: nodeSelectorTerms belongs to "
       "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"},
      {R"("tolerations": [{"keys": "os"}])", "!spec.tolerations[0].keys: write key"},
      {R"("template": {"metadata": {"labels": {"os": "a"}}, "spec": {"nodeName": "a"}})",
       "!spec.template.spec.nodeName: nodeName belongs to spec"},
      {R"("node_selector": {})", "!spec.node_selector: write nodeSelector"},
  };
  for (const auto& [spec, expected] : specs)
    EXPECT_EQ(found_in("Pod", R"({"spec": {)" + spec + "}}"), expected);
}

TEST(UnknownFields, AreDenialsAboveTheTemplate) {
  EXPECT_EQ(found_in("Pod", R"({"nodeSelector": {}, "spec": {}})"),
            "!nodeSelector: nodeSelector belongs to spec");
  EXPECT_EQ(found_in("Deployment", R"({"spec": {"os": {"name": "windows"}, "template": {}}})"),
            "!spec.os: os belongs to spec.template.spec");
  EXPECT_EQ(found_in("StatefulSet", R"({"spec": {"template": {"tolerations": []}}})"),
            "!spec.template.tolerations: tolerations belongs to spec.template.spec");
  EXPECT_EQ(found_in("CronJob", R"({"spec": {"jobTemplate": {"spec": {"nodeSelector": {}}}}})"),
            "!spec.jobTemplate.spec.nodeSelector: nodeSelector belongs to "
            "spec.jobTemplate.spec.template.spec");
}

TEST(UnknownFields, AreWarningsElsewhere) {
  const std::map<std::string, std::string> specs = {
      {R"("container": [])", "spec.container: write containers"},
      {R"("image": "a")", "spec.image: image belongs to spec.containers[*]"},
      {R"("containers": [{}, {"fsGroup": 1}])",
       "spec.containers[1].fsGroup: fsGroup belongs to spec.securityContext"},
      {R"("containers": [{"imagepullpolicy": "Always"}])",
       "spec.containers[0].imagepullpolicy: write imagePullPolicy"},
      {R"("completely": "other")", "spec.completely: "},
  };
  for (const auto& [spec, expected] : specs)
    EXPECT_EQ(found_in("Pod", R"({"spec": {)" + spec + "}}"), expected);
}

TEST(UnknownFields, AreNotLookedForWhereTheApiNamesNone) {
  EXPECT_EQ(found_in("Deployment", R"({
    "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"nodeSelector": {}},
    "status": {"nodeSelector": {}},
    "spec": {"$patch": "merge", "selector": {"matchLabels": {"os": "windows"}}, "x": null,
             "template": {"metadata": {"annotations": {"os": "a"}, "os": 1},
                          "spec": {"nodeSelector": {"os": "a"}, "overhead": {"a": 1},
                                   "$setElementOrder/containers": [{"name": "a"}],
                                   "containers": [{"resources": {"limits": {"os": 1}}}]}}}})"),
            "");
}

TEST(UnknownFields, IgnoresValuesOfAWrongType) {
  EXPECT_EQ(found_in("Pod", R"({"spec": {"containers": {"os": 1}, "affinity": [{"os": 1}]}})"), "");
  EXPECT_EQ(found_in("Pod", R"({"spec": [{"os": 1}]})"), "");
}

TEST(UnknownFields, NamesFieldsOfOtherReleases) {
  const UnknownFields newer =
      find_in("Pod", R"({"spec": {"os": {"nam": "windows"}}})", Version{1, 22});
  ASSERT_EQ(newer.kept.size(), 1U);
  EXPECT_TRUE(newer.kept[0].is_of_other_release);
  EXPECT_FALSE(newer.kept[0].is_placement);
  EXPECT_EQ(newer.kept[0].reason, "Kubernetes 1.22 has no such field: it is new in 1.23");
  const UnknownFields removed = find_in("Pod", R"({"spec": {"workloadRef": {}}})");
  ASSERT_EQ(removed.kept.size(), 1U);
  EXPECT_EQ(removed.kept[0].reason, "Kubernetes " + to_string(kNewestVersion) +
                                        " has no such field: it is gone after 1.35");
  EXPECT_EQ(found_in("Pod", R"({"spec": {"workloadRef": {}}})", Version{1, 35}), "");
}

TEST(UnknownFields, HavePointers) {
  const auto found = find_in("Pod", R"({"spec": {"containers": [{"a/b": 1}, {"a b": 1}]}})").kept;
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].pointer, "/spec/containers/0/a~1b");
  EXPECT_EQ(found[1].field, "spec.containers[1][a b]");
}

TEST(UnknownFields, AreBounded) {
  std::string many;
  for (int i = 0; i < 1'000; ++i) many += "\"x" + std::to_string(i) + "\": 1, ";
  const UnknownFields found = find_in("Pod", "{\"spec\": {" + many + "\"y\": 1}}");
  EXPECT_EQ(found.kept.size(), UnknownFields::kMaxKept);
  EXPECT_EQ(found.left_out, 1'001 - UnknownFields::kMaxKept);
  std::string deep;
  for (int i = 0; i < 500; ++i) deep += "{\"a\": ";
  deep += "1" + std::string(500, '}');
  EXPECT_EQ(found_in("Pod", "{\"spec\": {\"b\": " + deep + "}}"), "spec.b: ");
}

}  // namespace
}  // namespace winadmit::cli
