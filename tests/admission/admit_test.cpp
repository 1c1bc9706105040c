// Which operations, kinds and subresources are judged.
#include "admission/admit.hpp"

#include <gtest/gtest.h>

#include "tests/server/handler/reviewer.hpp"

namespace winadmit::test {
namespace {

TEST(Admit, TakesTheOsOfASubresourceFromTheOldObject) {
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

TEST(Admit, JudgesAnEphemeralContainerOfAWindowsPod) {
  Reviewer reviewer;
  const Json old = windows_pod();
  Json debugged = old;
  debugged["spec"]["ephemeralContainers"] = Json::array(
      {{{"name", "d"}, {"image", "debug"}, {"securityContext", {{"privileged", true}}}}});
  EXPECT_FALSE(
      reviewer.send("/validate", update(old, debugged, "Pod", "ephemeralcontainers")).allowed());
  // `kubectl debug` adds this by default: a warning.
  debugged["spec"]["ephemeralContainers"][0]["securityContext"] = {
      {"capabilities", {{"add", {"SYS_PTRACE"}}}}};
  const Answer answer =
      reviewer.send("/validate", update(old, debugged, "Pod", "ephemeralcontainers"));
  EXPECT_TRUE(answer.allowed()) << answer.body;
  EXPECT_EQ(answer.warned().size(), 1U);
}

TEST(Admit, RefusesAResizeOfAWindowsPod) {
  // As the API server sends it: both objects are whole pods.
  const auto with_memory = [](Json object, const std::string& memory) {
    object["spec"]["containers"][0]["resources"] = {{"limits", {{"memory", memory}}},
                                                    {"requests", {{"memory", memory}}}};
    return object;
  };
  const auto resize = [&](const Json& object, const std::string& from, const std::string& to) {
    return update(with_memory(object, from), with_memory(object, to), "Pod", "resize");
  };
  Reviewer reviewer;
  const Answer answer = reviewer.send("/validate", resize(windows_pod(), "1Gi", "2Gi"));
  EXPECT_FALSE(answer.allowed()) << answer.body;
  EXPECT_EQ(answer.refused(),
            std::vector<std::string>{"spec.containers[0].resources (pod-resize)"});
  EXPECT_TRUE(reviewer.send("/validate", resize(windows_pod(), "1Gi", "1Gi")).is_plain_allow());
  EXPECT_TRUE(
      reviewer.send("/validate", resize(with_host_pid(windows_pod()), "1Gi", "1Gi")).allowed())
      << "an old denial";
  EXPECT_TRUE(reviewer.send("/mutate", resize(windows_pod(), "1Gi", "2Gi")).is_plain_allow());
  for (const Json& other : {pod({{"nodeSelector", kLinuxSelector}}), pod(Json::object())}) {
    EXPECT_TRUE(reviewer.send("/validate", resize(other, "1Gi", "2Gi")).is_plain_allow());
  }
  EXPECT_TRUE(Reviewer("kubernetesVersion: \"1.32\"\n")
                  .send("/validate", resize(windows_pod(), "1Gi", "2Gi"))
                  .is_plain_allow());
  const Answer warned = Reviewer("rules: {pod-resize: warn}\n")
                            .send("/validate", resize(windows_pod(), "1Gi", "2Gi"));
  EXPECT_TRUE(warned.allowed());
  EXPECT_EQ(warned.warned().size(), 1U);
}

TEST(Admit, SkipsOnlySubresourcesThatCannotChangeASpec) {
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

TEST(Admit, SkipsDeleteAndConnect) {
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

TEST(Admit, SkipsKindsWithoutAPod) {
  Reviewer reviewer;
  EXPECT_TRUE(
      reviewer.send("/validate", create({{"data", Json::object()}}, "ConfigMap")).is_plain_allow());
}

TEST(Admit, SkipsAMirrorPodOnlyWithAnnotationNodeAndRequester) {
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
