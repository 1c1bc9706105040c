#include "admission/review_writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <vector>

namespace winadmit::server {
namespace {

using nlohmann::json;

const Review kReview = [] {
  Review review;
  review.api_version = "admission.k8s.io/v1beta1";
  review.uid = "quote\"\n";
  return review;
}();

json written(const AdmissionResponse& response, const std::vector<Finding>& causes = {}) {
  fmt::memory_buffer bytes;
  write_review(bytes, kReview, response, causes);
  return json::parse(std::string_view(bytes.data(), bytes.size()));
}

TEST(ReviewWriter, AnswersInTheVersionAndWithTheUidOfTheRequest) {
  EXPECT_EQ(written({}), (json{{"kind", "AdmissionReview"},
                               {"apiVersion", "admission.k8s.io/v1beta1"},
                               {"response", {{"uid", "quote\"\n"}, {"allowed", true}}}}));
}

TEST(ReviewWriter, WritesTheStatusAndTheCausesOfARefusal) {
  AdmissionResponse response;
  response.allowed = false;
  response.code = 403;
  response.reason = "Forbidden";
  response.message = "m";
  const json status = {
      {"status", "Failure"}, {"message", "m"}, {"reason", "Forbidden"}, {"code", 403}};
  EXPECT_EQ(written(response)["response"]["status"], status);

  Finding cause;
  cause.id = "host-pid";
  cause.field = "spec.hostPID";
  cause.reason = "is set";
  cause.instead = "remove it";
  EXPECT_EQ(written(response, {cause})["response"]["status"]["details"],
            json({{"causes",
                   {{{"reason", "host-pid"},
                     {"message", "is set; remove it"},
                     {"field", "spec.hostPID"}}}}}));
}

TEST(ReviewWriter, WritesAPatchAsBase64) {
  AdmissionResponse response;
  response.patch = {{.op = "remove", .path = "/a", .value = {}},
                    {.op = "add", .path = "/b", .value = "1"}};
  const json answer = written(response)["response"];
  EXPECT_EQ(answer["patchType"], "JSONPatch");
  // [{"op":"remove","path":"/a"},{"op":"add","path":"/b","value":1}]
  EXPECT_EQ(answer["patch"],
            "W3sib3AiOiJyZW1vdmUiLCJwYXRoIjoiL2EifSx7Im9wIjoiYWRkIiwicGF0aCI6Ii9iIiwidmFsdWUiOjF9"
            "XQ==");
}

TEST(ReviewWriter, WritesWarningsAndAuditAnnotations) {
  AdmissionResponse response;
  response.warnings = {"first", "second"};
  response.audit_annotations = {{"host-pid", "note"}};
  const json answer = written(response)["response"];
  EXPECT_EQ(answer["warnings"], json({"first", "second"}));
  EXPECT_EQ(answer["auditAnnotations"], json({{"host-pid", "note"}}));
}

}  // namespace
}  // namespace winadmit::server
