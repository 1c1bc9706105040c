#include "admission/review_reader.hpp"

#include <gtest/gtest.h>

#include <string>

namespace winadmit::server {
namespace {

class ReviewReaderTest : public testing::Test {
 protected:
  /// The review borrows from the last body that was read.
  ParsedReview read(const std::string& body) {
    body_ = body;
    body_.resize(body.size() + simdjson::SIMDJSON_PADDING);
    return parse_review(parser_, {body_.data(), body.size()});
  }

  BadRequestReason reason_of(const std::string& body) {
    const ParsedReview parsed = read(body);
    if (parsed.bad_request) return parsed.bad_request->reason;
    ADD_FAILURE() << "no bad request: " << body;
    return BadRequestReason::internal;
  }

  std::string body_;
  simdjson::dom::parser parser_;
};

TEST_F(ReviewReaderTest, ReadsTheMembersOfARequest) {
  const ParsedReview parsed = read(R"({
    "kind": "AdmissionReview", "apiVersion": "admission.k8s.io/v1beta1",
    "request": {
      "uid": "u", "operation": "UPDATE", "subResource": "resize", "name": "n", "namespace": "ns",
      "kind": {"group": "apps", "version": "v1", "kind": "Deployment"},
      "userInfo": {"username": "jane", "groups": ["a", "b"]},
      "object": {"x": 1}, "oldObject": {"x": 2}}})");
  ASSERT_FALSE(parsed.bad_request) << parsed.bad_request->message;
  const Review& review = parsed.review;
  EXPECT_EQ(review.api_version, "admission.k8s.io/v1beta1");
  EXPECT_EQ(review.uid, "u");
  EXPECT_EQ(review.operation, "UPDATE");
  EXPECT_EQ(review.subresource, "resize");
  EXPECT_EQ(review.name, "n");
  EXPECT_EQ(review.name_space, "ns");
  EXPECT_EQ(review.group, "apps");
  EXPECT_EQ(review.kind, "Deployment");
  EXPECT_EQ(review.user, "jane");
  EXPECT_EQ(review.groups.value().size(), 2U);
  EXPECT_EQ(std::int64_t(review.object.value()["x"]), 1);
  EXPECT_EQ(std::int64_t(review.old_object.value()["x"]), 2);
}

TEST_F(ReviewReaderTest, GivesTheReasonForABadBody) {
  const std::string head = R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1")";
  EXPECT_EQ(reason_of(""), BadRequestReason::empty_body);
  EXPECT_EQ(reason_of("{"), BadRequestReason::not_json);
  EXPECT_EQ(reason_of("[]"), BadRequestReason::not_a_review);
  EXPECT_EQ(reason_of(R"({"kind":"Pod"})"), BadRequestReason::not_a_review);
  EXPECT_EQ(reason_of(R"({"kind":"AdmissionReview","apiVersion":"v1"})"),
            BadRequestReason::unknown_version);
  EXPECT_EQ(reason_of(head + "}"), BadRequestReason::no_request);
  EXPECT_EQ(reason_of(head + R"(,"request":{}})"), BadRequestReason::no_uid);
  EXPECT_EQ(reason_of(head + R"(,"request":{"uid":"u","object":1}})"),
            BadRequestReason::bad_request);
}

TEST_F(ReviewReaderTest, KeepsTheUidOfABadRequest) {
  const ParsedReview parsed =
      read(R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1",)"
           R"("request":{"uid":"u","name":1}})");
  EXPECT_TRUE(parsed.bad_request);
  EXPECT_EQ(parsed.review.uid, "u");
  EXPECT_EQ(parsed.review.api_version, "admission.k8s.io/v1");
}

}  // namespace
}  // namespace winadmit::server
