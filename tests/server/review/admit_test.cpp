// Which operations, kinds and subresources are judged.
#include "server/review/admit.hpp"

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
      {{{"name", "d"}, {"image", "busybox"}, {"securityContext", {{"privileged", true}}}}});
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
