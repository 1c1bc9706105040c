#include "policy/pod/pod.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

Pod read(const test::ParsedJson& json, const PodKind& kind) {
  return read_pod(json.object(), kind, test::no_labels());
}

TEST(Pod, IsReadFromEveryKind) {
  for (const PodKind& kind : pod_kinds()) {
    SCOPED_TRACE(kind.kind);
    std::string object = R"({"spec":{"nodeName":"n"}})";
    std::string path = "spec";
    for (auto key = kind.template_path.rbegin(); key != kind.template_path.rend(); ++key) {
      object = "{\"" + std::string(*key) + "\":" + object + '}';
      path = std::string(*key) + '.' + path;
    }
    const test::ParsedJson json(object);
    const Pod pod = read(json, kind);
    EXPECT_TRUE(pod.errors.empty()) << pod.errors.message();
    EXPECT_EQ(pod.node_name, "n");
    EXPECT_EQ(pod.spec_path().to_string(), path);
  }
}

TEST(Pod, ReportsDuplicatesAndWrongTypesOfWindowsLabels) {
  const WindowsLabels labels = {{"pool", {{"win", "10.0.20348"}}}};
  const auto errors_of = [&](const std::string& selector) {
    return test::ParsedPod(R"({"nodeSelector":)" + selector + '}', labels).pod().errors;
  };
  EXPECT_TRUE(errors_of(R"({"pool":"win","other":1,"other":2})").empty());
  EXPECT_EQ(errors_of(R"({"pool":1})").message(),
            "spec.nodeSelector[pool] must be a string, not a number");
  EXPECT_TRUE(errors_of(R"({"pool":"linux","pool":"win"})").has_duplicates());
}

TEST(Pod, ReportsAMissingSpecOrTemplate) {
  const PodKind& cron_job = *find_pod_kind("CronJob", "batch");
  EXPECT_EQ(read(test::ParsedJson("{}"), *find_pod_kind("Pod")).errors.message(),
            "spec is missing");
  const Pod pod = read(test::ParsedJson(R"({"spec":{"jobTemplate":{"spec":{}}}})"), cron_job);
  EXPECT_EQ(pod.errors.message(), "spec.jobTemplate.spec.template is missing");
  EXPECT_FALSE(pod.spec);
}

TEST(Pod, ReportsAWrongTypeOnce) {
  const Pod pod = read(test::ParsedJson(R"({"spec":[]})"), *find_pod_kind("Pod"));
  EXPECT_EQ(pod.errors.message(), "spec must be an object, not a list");
}

TEST(Pod, ReportsErrorsInEveryPartThatItReads) {
  const test::ParsedPod parsed(
      R"({"os":{"name":1},"nodeSelector":{"kubernetes.io/os":2},"nodeName":3,)"
      R"("tolerations":[4],"securityContext":{"windowsOptions":5},)"
      R"("containers":[{"image":6}],"initContainers":7,"ephemeralContainers":[8]})");
  EXPECT_EQ(parsed.pod().errors.message(),
            "spec.nodeName must be a string, not a number; "
            "spec.initContainers must be a list, not a number; "
            "spec.os.name must be a string, not a number; "
            "spec.nodeSelector[kubernetes.io/os] must be a string, not a number; "
            "spec.tolerations[0] must be an object, not a number; "
            "spec.securityContext.windowsOptions must be an object, not a number; "
            "spec.containers[0].image must be a string, not a number; "
            "spec.ephemeralContainers[0] must be an object, not a number");
}

TEST(Pod, IsOwnedByADaemonSetThatControlsIt) {
  const auto is_owned = [](const std::string& owner, std::string_view kind = "Pod") {
    const test::ParsedJson json(R"({"metadata":{"ownerReferences":[)" + owner +
                                R"(]},"template":{"metadata":{"ownerReferences":[)" + owner +
                                R"(]},"spec":{}},"spec":{}})");
    return read(json, *find_pod_kind(kind)).is_owned_by_daemon_set;
  };
  EXPECT_TRUE(is_owned(R"({"kind":"DaemonSet","controller":true})"));
  EXPECT_FALSE(is_owned(R"({"kind":"DaemonSet","controller":false})"));
  EXPECT_FALSE(is_owned(R"({"kind":"DaemonSet"})"));
  EXPECT_FALSE(is_owned(R"({"kind":"ReplicaSet","controller":true})"));
  EXPECT_FALSE(is_owned(R"({"kind":"DaemonSet","controller":true})", "PodTemplate"));
}

TEST(Pod, IsAHostProcessPodIfEveryContainerIs) {
  const auto is_host_process_pod = [](const std::string& spec) {
    return test::ParsedPod(spec).pod().is_host_process_pod;
  };
  const std::string on = R"("securityContext":{"windowsOptions":{"hostProcess":true}})";
  const std::string off = R"("securityContext":{"windowsOptions":{"hostProcess":false}})";
  EXPECT_TRUE(is_host_process_pod("{" + on + R"(,"containers":[{}]})"));
  EXPECT_TRUE(is_host_process_pod(R"({"containers":[{)" + on + "}]}"));
  EXPECT_TRUE(is_host_process_pod("{" + off + R"(,"containers":[{)" + on + "}]}"));
  EXPECT_FALSE(is_host_process_pod("{" + on + R"(,"containers":[{)" + off + "}]}"));
  EXPECT_FALSE(is_host_process_pod(R"({"initContainers":[{}],"containers":[{)" + on + "}]}"));
  EXPECT_FALSE(is_host_process_pod("{" + on + "}")) << "no container";
}

TEST(Pod, PrefersTheSecurityContextOfTheContainer) {
  const test::ParsedPod parsed(
      R"({"securityContext":{"runAsNonRoot":true,"windowsOptions":{"runAsUserName":"pod"}}})");
  const auto effective = [&](const test::ParsedJson& container) {
    return effective_security_context(parsed.pod(), container.object());
  };
  EXPECT_EQ(effective(test::ParsedJson("{}")).run_as_user_name, "pod");
  const test::ParsedJson container(
      R"({"securityContext":{"windowsOptions":{"runAsUserName":"own"}}})");
  EXPECT_EQ(effective(container).run_as_user_name, "own");
  EXPECT_EQ(effective(container).run_as_non_root, true);
}

TEST(Pod, CountsContainersWithoutEphemeralOnes) {
  const test::ParsedPod parsed(
      R"({"containers":[{},{}],"initContainers":[{}],"ephemeralContainers":[{}]})");
  EXPECT_EQ(count_non_ephemeral_containers(parsed.pod()), 3U);
  std::size_t all = 0;
  for_each_container(parsed.pod(), [&](const Container&) { ++all; });
  EXPECT_EQ(all, 4U);
}

TEST(Pod, IsAMirrorPodByAnnotationNodeAndRequester) {
  const auto is_mirror = [](const char* object, bool is_requested_by_node) {
    const test::ParsedJson json(object);
    return is_mirror_pod(read(json, *find_pod_kind("Pod")), is_requested_by_node);
  };
  const char* const kMirror =
      R"({"metadata":{"annotations":{"kubernetes.io/config.mirror":"x"}},"spec":{"nodeName":"n"}})";
  EXPECT_TRUE(is_mirror(kMirror, true));
  EXPECT_FALSE(is_mirror(kMirror, false));
  EXPECT_FALSE(is_mirror(R"({"metadata":{"annotations":{}},"spec":{"nodeName":"n"}})", true));
  EXPECT_FALSE(is_mirror(
      R"({"metadata":{"annotations":{"kubernetes.io/config.mirror":"x"}},"spec":{}})", true));
}

}  // namespace
}  // namespace winadmit
