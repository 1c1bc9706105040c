// Paths, methods and content types; how bodies are read; what is counted.
#include "server/handler/handler.hpp"

#include <gtest/gtest.h>

#include "tests/server/handler/reviewer.hpp"
#include "tests/text.hpp"

namespace winadmit::test {
namespace {

std::string review_of_spec(const std::string& spec) {
  return R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"u",)"
         R"("kind":{"kind":"Pod"},"operation":"CREATE","object":{"spec":)" +
         spec + "}}}";
}

TEST(Handler, RefusesByTheHeadUnlessJsonIsPostedToAKnownPath) {
  struct Case {
    const char *name, *method, *target, *content_type;
    int status;
  };
  constexpr Case kCases[] = {
      {"unknown path", "POST", "/", "application/json", 404},
      {"below a path", "POST", "/mutate/", "application/json", 404},
      {"unknown mode", "POST", "/validate/enforce", "application/json", 404},
      {"other case", "POST", "/Validate", "application/json", 404},
      {"GET", "GET", "/validate", "", 405},
      {"PUT", "PUT", "/validate", "application/json", 405},
      {"lower case method", "post", "/validate", "application/json", 405},
      {"no content type", "POST", "/validate", "", 415},
      {"yaml", "POST", "/validate", "application/yaml", 415},
      {"prefix", "POST", "/validate", "application/jsonx", 415},
      {"protobuf", "POST", "/mutate", "application/vnd.kubernetes.protobuf", 415},
  };
  Reviewer reviewer;
  const std::string body = create(pod(Json::object())).dump();
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const auto& reply = reviewer.handle(each.method, each.target, each.content_type, body);
    EXPECT_EQ(reply.status, each.status);
    EXPECT_TRUE(is_one_line(std::string(reply.text()))) << reply.text();
  }
}

TEST(Handler, AcceptsAContentTypeInAnyCaseAndWithParameters) {
  Reviewer reviewer;
  const std::string body = create(pod(Json::object())).dump();
  for (const char* type :
       {"application/json", "Application/JSON", "application/json; charset=utf-8",
        "application/json;charset=utf-8", "application/json ; charset=utf-8",
        "application/json\t;charset=utf-8"}) {
    SCOPED_TRACE(type);
    EXPECT_EQ(reviewer.handle("POST", "/validate?timeout=10s", type, body).status, 200);
  }
}

TEST(Handler, ReadsEscapedKeys) {
  Reviewer reviewer;
  EXPECT_FALSE(
      reviewer
          .post("/validate",
                review_of_spec(
                    R"({"node\u0053elector":{"kubernetes.io\/os":"windows"},"host\u0050ID":true})"))
          .allowed());
}

TEST(Handler, ReadsNullAsAbsent) {
  Reviewer reviewer;
  const std::string body = review_of_spec(
      R"({"os":null,"nodeSelector":{"kubernetes.io/os":"windows"},"tolerations":null,"affinity":null,)"
      R"("securityContext":null,"hostPID":null,"volumes":null,"initContainers":null,)"
      R"("containers":[{"name":"c","image":null,"securityContext":{"privileged":null}}]})");
  EXPECT_TRUE(reviewer.post("/validate", body).allowed());
  EXPECT_EQ(reviewer.post("/mutate", body).patch().size(), 1U);
}

TEST(Handler, EchoesAnyUid) {
  Reviewer reviewer;
  for (const std::string uid :
       {"705ab4f5-6393-11e8-b7cc-42010a800002", "quote\" \\ \n", "\u00fc"}) {
    Json review = create(pod(Json::object()));
    review["request"]["uid"] = uid;
    EXPECT_EQ(reviewer.send("/validate", review).response["uid"], uid);
  }
}

TEST(Handler, CountsItsAnswers) {
  Reviewer reviewer;
  Json forbidden = windows_pod();
  forbidden["spec"]["hostPID"] = true;
  reviewer.send("/validate", create(forbidden));
  reviewer.send("/validate/warn", create(forbidden));
  reviewer.send("/mutate", create(pod({{"nodeSelector", {{"kubernetes.io/os", "windows"}}}})));
  reviewer.send("/mutate", create(pod(Json::object())));
  reviewer.post("/mutate", "");
  reviewer.handle("GET", "/validate", "", "");
  const std::string text = reviewer.metrics().text();
  for (const char* line : {
           R"(winadmit_requests_total{path="/validate",decision="denied"} 1)",
           R"(winadmit_requests_total{path="/validate/warn",decision="warned"} 1)",
           R"(winadmit_requests_total{path="/mutate",decision="patched"} 1)",
           R"(winadmit_requests_total{path="/mutate",decision="allowed"} 1)",
           R"(winadmit_requests_total{path="/mutate",decision="malformed"} 1)",
           R"(winadmit_findings_total{rule="host-pid",action="deny",mode="enforce"} 1)",
           R"(winadmit_findings_total{rule="host-pid",action="deny",mode="warn"} 1)",
           R"(winadmit_patches_total{operation="CREATE"} 1)",
           R"(winadmit_bad_requests_total{reason="empty_body"} 1)",
           R"(winadmit_bad_requests_total{reason="method"} 1)",
           R"(winadmit_request_duration_seconds_count 5)",
       }) {
    EXPECT_NE(text.find(std::string(line) + '\n'), std::string::npos) << line;
  }
}

TEST(Handler, MeasuresTheTimeSinceARequestWasReceived) {
  using namespace std::chrono_literals;
  const Policy policy{Settings{}};
  const server::Exemptions exempt;
  server::Metrics metrics("1.36");
  server::Handler handler(policy, exempt, metrics.add_thread());
  const std::string body(simdjson::SIMDJSON_PADDING, ' ');
  handler.handle({.method = "POST",
                  .target = "/mutate",
                  .content_type = server::kJsonType,
                  .body = std::string_view(body).substr(0, 0),
                  .received = std::chrono::steady_clock::now() - 30s});
  const std::string text = metrics.text();
  const std::string sum = "winadmit_request_duration_seconds_sum ";
  const std::size_t at = text.find(sum);
  ASSERT_NE(at, std::string::npos);
  EXPECT_GE(std::stod(text.substr(at + sum.size())), 30.0) << "it waited for other requests";
}

}  // namespace
}  // namespace winadmit::test
