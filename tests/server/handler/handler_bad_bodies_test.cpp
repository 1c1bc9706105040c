// Bodies that cannot be judged: each gets a status and one clear line.
#include <gtest/gtest.h>

#include "tests/server/handler/reviewer.hpp"
#include "tests/text.hpp"

namespace winadmit::test {
namespace {

std::string envelope(const std::string& request, const std::string& version = "admission.k8s.io/v1",
                     const std::string& kind = "AdmissionReview") {
  return R"({"kind":")" + kind + R"(","apiVersion":")" + version + R"(","request":)" + request +
         "}";
}

std::string with_object(const std::string& object) {
  return envelope(R"({"uid":"u","kind":{"kind":"Pod"},"operation":"CREATE","object":)" + object +
                  "}");
}

std::string with_spec(const std::string& spec) { return with_object(R"({"spec":)" + spec + "}"); }

std::string nested(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

struct BadBody {
  std::string name;
  std::string body;
  bool has_uid = false;
  std::string message = "";  // a part of it
};

std::vector<BadBody> bad_bodies() {
  const std::string pod_review = create(pod(Json::object())).dump();
  std::vector<BadBody> cases = {
      {"empty body", "", false, "empty"},
      {"white space", "  \n", false, ""},
      {"not JSON", "apiVersion: v1", false, "not JSON"},
      {"truncated", pod_review.substr(0, pod_review.size() / 2), false, "not JSON"},
      {"two documents", pod_review + pod_review, false, "not JSON"},
      {"a byte order mark alone", "\xEF\xBB\xBF", false, ""},
      {"invalid UTF-8", with_object("{\"a\":\"\xC3\x28\"}"), false, "UTF-8"},
      {"a NUL byte", pod_review + '\0', false, "not JSON"},
      {"100,000 levels", nested(100'000), false, "not JSON"},
      {"100,000 levels in a pod", with_spec(nested(100'000)), false, "not JSON"},
      {"a string", "\"AdmissionReview\"", false, "a string"},
      {"a list", "[]", false, "a list"},
      {"null", "null", false, "null"},
      {"no kind", "{}", false, "AdmissionReview"},
      {"another kind", envelope("{}", "admission.k8s.io/v1", "Pod"), false, "Pod"},
      {"kind of a wrong type", R"({"kind":1})", false, "AdmissionReview.kind"},
      {"unknown apiVersion", envelope(R"({"uid":"u"})", "admission.k8s.io/v2"), false,
       "admission.k8s.io/v2"},
      {"no apiVersion", R"({"kind":"AdmissionReview","request":{"uid":"u"}})", false, "apiVersion"},
      {"no request", R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"})", false,
       "no request"},
      {"request is null", envelope("null"), false, "no request"},
      {"request is a list", envelope("[]"), false, "request"},
      {"request duplicated",
       R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"a"},)"
       R"("request":{"uid":"b"}})",
       false, "duplicate key"},
      {"no uid", envelope("{}"), false, "uid"},
      {"an empty uid", envelope(R"({"uid":""})"), false, "uid"},
      {"a uid that is a number", envelope(R"({"uid":7})"), false, "uid"},
      {"no operation", envelope(R"({"uid":"u","kind":{"kind":"Pod"}})"), true, "operation"},
      {"unknown operation", envelope(R"({"uid":"u","kind":{"kind":"Pod"},"operation":"PATCH"})"),
       true, "PATCH"},
      {"no object", envelope(R"({"uid":"u","kind":{"kind":"Pod"},"operation":"CREATE"})"), true,
       "request.object"},
      {"object is null", with_object("null"), true, "request.object"},
      {"object is a string", with_object("\"p\""), true, "object"},
      {"object duplicated",
       envelope(
           R"({"uid":"u","kind":{"kind":"Pod"},"operation":"CREATE","object":{},"object":{}})"),
       true, "duplicate key"},
      {"oldObject is a list",
       envelope(
           R"({"uid":"u","kind":{"kind":"Pod"},"operation":"UPDATE","object":{"spec":{}},"oldObject":[]})"),
       true, "oldObject"},
      {"the request's kind duplicated",
       envelope(R"({"uid":"u","kind":{"kind":"Node","kind":"Pod"},"operation":"CREATE",)"
                R"("object":{"spec":{}}})"),
       true, "request.kind.kind"},
      {"the user duplicated",
       envelope(R"({"uid":"u","kind":{"kind":"Pod"},"operation":"CREATE","object":{"spec":{}},)"
                R"("userInfo":{"username":"a","username":"b"}})"),
       true, "request.userInfo.username"},
      {"no kind of the request", envelope(R"({"uid":"u","operation":"CREATE","object":{}})"), true,
       "kind"},
      {"no spec", with_object("{}"), true, "spec"},
      {"spec is a list", with_spec("[]"), true, "spec"},
      {"spec is null", with_spec("null"), true, "spec"},
      {"spec duplicated",
       with_object(R"({"spec":{"nodeSelector":{"kubernetes.io/os":"linux"}},)"
                   R"("spec":{"nodeSelector":{"kubernetes.io/os":"windows"}}})"),
       true, "duplicate key"},
  };
  // Wrong types and duplicate keys in a pod that is not known to be a Linux pod.
  const std::pair<const char*, const char*> kSpecs[] = {
      {"os is a string", R"("os":"windows")"},
      {"os.name is a number", R"("os":{"name":1})"},
      {"nodeSelector is a list", R"("nodeSelector":[])"},
      {"affinity is a string", R"("affinity":"a")"},
      {"tolerations is an object", R"("tolerations":{})"},
      {"runtimeClassName is a boolean", R"("runtimeClassName":true)"},
      {"containers is a string", R"("containers":"c")"},
      {"containers is an object", R"("containers":{})"},
      {"a container is a string", R"("containers":["c"])"},
      {"initContainers is a number", R"("initContainers":3)"},
      {"ephemeralContainers is a boolean", R"("ephemeralContainers":true)"},
      {"securityContext is a list", R"("securityContext":[])"},
      {"nodeSelector duplicated", R"("nodeSelector":{},"nodeSelector":{})"},
      {"containers duplicated", R"("containers":[],"containers":[])"},
      {"an escaped key duplicated", R"("nodeSelector":{},"nodeSe\u006cector":{})"},
      {"a selector duplicated",
       R"("nodeSelector":{"kubernetes.io/os":"linux","kubernetes.io/os":"windows"})"},
      {"os.name duplicated", R"("os":{"name":"linux","name":"windows"})"},
      {"nodeAffinity duplicated", R"("affinity":{"nodeAffinity":{},"nodeAffinity":{}})"},
      {"required affinity duplicated",
       R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{},)"
       R"("requiredDuringSchedulingIgnoredDuringExecution":{}}})"},
      {"nodeSelectorTerms duplicated",
       R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
       R"({"nodeSelectorTerms":[],"nodeSelectorTerms":[]}}})"},
      {"matchExpressions duplicated",
       R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
       R"({"nodeSelectorTerms":[{"matchExpressions":[],"matchExpressions":[]}]}}})"},
      {"an affinity's operator duplicated",
       R"("affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
       R"({"nodeSelectorTerms":[{"matchExpressions":[{"key":"kubernetes.io/os",)"
       R"("operator":"In","operator":"NotIn","values":["windows"]}]}]}}})"},
      {"windowsOptions duplicated",
       R"("securityContext":{"windowsOptions":{},"windowsOptions":{}})"},
      {"hostProcess duplicated",
       R"("securityContext":{"windowsOptions":{"hostProcess":false,"hostProcess":true}})"},
      {"a container's windowsOptions duplicated",
       R"("containers":[{"securityContext":{"windowsOptions":{},"windowsOptions":{}}}])"},
      {"a container's securityContext duplicated",
       R"("containers":[{"securityContext":{},"securityContext":{}}])"},
      {"a toleration's key duplicated",
       R"("tolerations":[{"key":"a","key":"os","value":"Win1809"}])"},
  };
  for (const auto& [name, member] : kSpecs) {
    cases.push_back({name, with_spec('{' + std::string(member) + '}'), true, "spec."});
  }
  const std::pair<const char*, const char*> kWindowsSpecs[] = {
      {"hostPID is a number", R"("hostPID":1)"},
      {"hostPID is a string", R"("hostPID":"true")"},
      {"hostPID duplicated", R"("hostPID":false,"hostPID":true)"},
      {"securityContext is a string", R"("securityContext":"s")"},
      {"a container's securityContext is a list",
       R"("containers":[{"name":"c","securityContext":[]}])"},
      {"privileged is a number",
       R"("containers":[{"name":"c","securityContext":{"privileged":1}}])"},
      {"capabilities is a list",
       R"("containers":[{"name":"c","securityContext":{"capabilities":[]}}])"},
      {"volumes is an object", R"("volumes":{})"},
      {"hostPID twice, once escaped", R"("hostPID":false,"host\u0050ID":true)"},
      {"a profile's type duplicated",
       R"("securityContext":{"seccompProfile":{"type":"Unconfined","type":"Localhost"}})"},
      {"capabilities.add duplicated",
       R"("containers":[{"securityContext":{"capabilities":{"add":[],"add":["A"]}}}])"},
      {"resources.limits duplicated", R"("resources":{"limits":{},"limits":{"cpu":"1"}})"},
      {"huge pages duplicated",
       R"("containers":[{"resources":{"limits":{"hugepages-2Mi":"1","hugepages-2Mi":"2"}}}])"},
  };
  for (const auto& [name, member] : kWindowsSpecs) {
    cases.push_back({std::string("windows: ") + name,
                     with_spec(R"({"nodeSelector":{"kubernetes.io/os":"windows"},)" +
                               std::string(member) + '}'),
                     true, "spec."});
  }
  return cases;
}

TEST(HandlerBadBodies, AreRefusedOnValidateAndFailOnTheOtherPaths) {
  Reviewer reviewer;
  for (const BadBody& each : bad_bodies()) {
    SCOPED_TRACE(each.name);
    const Answer validated = reviewer.post("/validate", each.body);
    if (each.has_uid) {
      EXPECT_EQ(validated.status, 200);
      EXPECT_FALSE(validated.allowed());
      EXPECT_EQ(validated.response.value("uid", ""), "u");
      if (validated.status == 200 && !validated.allowed()) {
        EXPECT_EQ(validated.code(), 400);
        EXPECT_EQ(validated.message().find('\n'), std::string::npos);
        EXPECT_NE(validated.message().find(each.message), std::string::npos) << validated.body;
      }
    } else {
      EXPECT_EQ(validated.status, 400);
      EXPECT_TRUE(is_one_line(validated.body)) << validated.body;
      EXPECT_NE(validated.body.find(each.message), std::string::npos) << validated.body;
    }
    for (const char* path : {"/validate/warn", "/validate/audit"}) {
      EXPECT_EQ(reviewer.post(path, each.body).status, 400) << path;
    }
    // /mutate does not read these fields.
    if (!each.name.starts_with("windows: ")) {
      EXPECT_EQ(reviewer.post("/mutate", each.body).status, 400);
    }
  }
  EXPECT_TRUE(reviewer.send("/validate", create(pod(Json::object()))).is_plain_allow());
}

TEST(HandlerBadBodies, OfLinuxPodsAreLeftToTheApiServer) {
  Reviewer reviewer;
  const std::string body = with_spec(
      R"({"nodeSelector":{"kubernetes.io/os":"linux"},"hostPID":"yes","containers":"none"})");
  EXPECT_TRUE(reviewer.post("/validate", body).is_plain_allow());
  EXPECT_TRUE(reviewer.post("/mutate", body).is_plain_allow());
}

TEST(HandlerBadBodies, OfWindowsPodsAreNeverAllowed) {
  Reviewer reviewer;
  for (const char* spec : {
           R"({"os":{"name":"windows"},"containers":"none"})",
           R"({"nodeSelector":{"kubernetes.io/os":"windows"},"tolerations":"all"})",
           R"({"nodeSelector":{"kubernetes.io/os":"windows"},"affinity":7})",
           R"({"containers":"none","securityContext":{"windowsOptions":{"runAsUserName":"x"}}})",
       }) {
    SCOPED_TRACE(spec);
    EXPECT_FALSE(reviewer.post("/validate", with_spec(spec)).allowed());
    EXPECT_EQ(reviewer.post("/mutate", with_spec(spec)).status, 400);
  }
}

}  // namespace
}  // namespace winadmit::test
