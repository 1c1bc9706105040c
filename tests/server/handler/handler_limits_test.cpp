// Requests with very many findings: the decision is right and the answer is bounded.
#include <gtest/gtest.h>

#include "admission/response_texts.hpp"
#include "tests/server/handler/reviewer.hpp"

namespace winadmit::test {
namespace {

constexpr std::size_t kMany = 5000;

/// A Windows pod with `count` copies of a volume.
Json with_volumes(std::size_t count, const Json& volume) {
  Json object = windows_pod();
  object["spec"]["volumes"] = Json::array();
  for (std::size_t i = 0; i < count; ++i) object["spec"]["volumes"].push_back(volume);
  return object;
}

const Json kNfs = {{"nfs", Json::object()}};                          // a denial
const Json kDevice = {{"hostPath", {{"type", "CharDevice"}}}};        // a warning
const Json kSelinux = {{"seLinuxOptions", {{"level", "s0:c1,c2"}}}};  // a denial

TEST(HandlerLimits, ARefusalListsAHundredFindingsAndCountsTheRest) {
  Reviewer reviewer;
  const Answer answer = reviewer.send("/validate", create(with_volumes(kMany, kNfs)));
  EXPECT_FALSE(answer.allowed());
  EXPECT_EQ(answer.refused().size(), 100U);
  EXPECT_TRUE(answer.message().starts_with("5,000 problems. First: spec.volumes[0].nfs: "))
      << answer.message().substr(0, 100);
  EXPECT_TRUE(answer.message().ends_with("\nand 4,900 more")) << answer.message().substr(20'000);
  EXPECT_LT(answer.message().size(), 64U * 1024);
}

TEST(HandlerLimits, ADenialIsListedBeforeAnyNumberOfWarnings) {
  Reviewer reviewer;
  Json object = with_volumes(kMany, kDevice);
  object["spec"]["volumes"].push_back(kNfs);
  const Answer answer = reviewer.send("/validate", create(object));
  EXPECT_FALSE(answer.allowed());
  EXPECT_EQ(answer.response["status"]["details"]["causes"][0]["field"], "spec.volumes[5000].nfs");
  EXPECT_EQ(answer.refused().size(), 100U);
  EXPECT_TRUE(answer.message().starts_with("spec.volumes[5000].nfs: "));
  EXPECT_TRUE(answer.message().ends_with("\nand 4,901 more"));
}

TEST(HandlerLimits, AnUpdateWhoseOnlyNewDenialIsTheLastOfManyIsRefused) {
  Reviewer reviewer;
  const Json old = with_volumes(kMany, kNfs);
  Json changed = old;
  changed["spec"]["volumes"].push_back(kNfs);
  const Answer refused = reviewer.send("/validate", update(old, changed));
  EXPECT_FALSE(refused.allowed());
  EXPECT_TRUE(refused.message().starts_with("spec.volumes[5000].nfs: "));

  Json fewer = old;
  fewer["spec"]["volumes"].erase(kMany - 1);
  EXPECT_TRUE(reviewer.send("/validate", update(old, fewer)).allowed());
}

TEST(HandlerLimits, WarningsAndAuditAnnotationsStayWithinTheirLimits) {
  Reviewer reviewer;
  Json object = with_volumes(kMany, kNfs);
  for (std::size_t i = 0; i < 50; ++i) object["spec"]["volumes"].push_back(kDevice);

  const Answer warned = reviewer.send("/validate/warn", create(object));
  EXPECT_TRUE(warned.allowed());
  std::size_t size = 0;
  for (const std::string& warning : warned.warnings()) size += warning.size();
  EXPECT_LE(size, server::kWarningsLimit);
  const std::size_t listed_warnings = warned.warnings().size() - 1;
  const std::string rest = std::to_string(5050 - listed_warnings).insert(1, ",");
  EXPECT_EQ(warned.warnings().back(), "and " + rest + " more warnings from winadmit");

  const Answer audited = reviewer.send("/validate/audit", create(object));
  EXPECT_TRUE(audited.allowed());
  size = 0;
  std::size_t listed = 0;
  for (const auto& [id, note] : audited.response.at("auditAnnotations").items()) {
    EXPECT_LE(note.get<std::string>().size(), server::kAuditAnnotationLimit) << id;
    const std::string text = note.get<std::string>();
    size += text.size();
    for (std::size_t at = 0; (at = text.find("spec.volumes[", at)) != text.npos; ++at) ++listed;
  }
  EXPECT_LE(size, server::kAuditAnnotationsLimit);
  EXPECT_EQ(audited.response["auditAnnotations"]["more-findings"],
            "4," + std::to_string(1050 - listed));
}

TEST(HandlerLimits, TwentyErrorsOfMalformedInputAreListed) {
  Reviewer reviewer;
  Json object = windows_pod();
  object["spec"]["containers"] = Json::array();
  for (std::size_t i = 0; i < kMany; ++i) object["spec"]["containers"].push_back(i);
  const Answer answer = reviewer.send("/validate", create(object));
  EXPECT_FALSE(answer.allowed());
  EXPECT_EQ(answer.code(), 400);
  EXPECT_NE(answer.message().find("spec.containers[19] must be an object, not a number"),
            std::string::npos);
  EXPECT_EQ(answer.message().find("spec.containers[20]"), std::string::npos);
  EXPECT_TRUE(answer.message().ends_with("; and more")) << answer.message();
}

TEST(HandlerLimits, ErrorsThatAreFoundTwiceCountOnce) {
  Reviewer reviewer;
  Json object = windows_pod();
  object["spec"]["containers"] = Json::array();
  for (int i = 0; i < 20; ++i)
    object["spec"]["containers"].push_back({{"name", "c"}, {"securityContext", "none"}});
  const auto message = [&] { return reviewer.send("/validate", create(object)).message(); };
  EXPECT_TRUE(
      message().ends_with("spec.containers[19].securityContext must be an object, not a string"))
      << message();
  object["spec"]["volumes"] = "none";  // only one reader looks at them
  EXPECT_TRUE(message().ends_with("; and more")) << message();
}

TEST(HandlerLimits, StripRemovesAnyNumberOfFields) {
  Reviewer reviewer("rules: {selinux-options: strip}");
  Json object = windows_pod();
  object["spec"]["containers"] = Json::array();
  for (std::size_t i = 0; i < 500; ++i) {
    object["spec"]["containers"].push_back(
        {{"name", "c" + std::to_string(i)}, {"image", "a"}, {"securityContext", kSelinux}});
  }
  const Answer answer = reviewer.send("/mutate", create(object));
  EXPECT_EQ(answer.patch().size(), 500U);
  EXPECT_TRUE(reviewer.send("/validate", create(patched(object, answer))).is_plain_allow());
}

TEST(HandlerLimits, TextOfAClientIsEchoedOnlyInPart) {
  const std::string snowmen = [] {
    std::string text;
    for (int i = 0; i < 5000; ++i) text += "\xE2\x98\x83";
    return text;
  }();
  Reviewer reviewer;
  Json review = create(windows_pod());
  request(review)["operation"] = snowmen;
  const std::string operation = reviewer.send("/validate", review).message();
  EXPECT_LT(operation.size(), 400U);
  EXPECT_NE(operation.find(", not \"\xE2\x98\x83"), std::string::npos) << operation;

  for (const char* member : {"kind", "apiVersion"}) {
    SCOPED_TRACE(member);
    Json envelope = create(windows_pod());
    envelope[member] = snowmen;
    const Answer answer = reviewer.send("/validate", envelope);
    EXPECT_EQ(answer.status, 400);
    EXPECT_LT(answer.body.size(), 400U);
  }

  Json sidecar = windows_pod();
  container(sidecar)["name"] = std::string(5000, 'n');
  container(sidecar)["image"] = "istio/proxyv2:1";
  const Answer advised = reviewer.send("/validate/audit", create(sidecar));
  EXPECT_LT(advised.body.size(), 1000U);

  Json annotated = windows_pod();
  annotated["metadata"]["annotations"] = {
      {"container.apparmor.security.beta.kubernetes.io/" + std::string(5000, 'c'), "x"}};
  EXPECT_LT(reviewer.send("/validate/audit", create(annotated)).body.size(), 1000U);

  const std::string long_word(5000, 'w');
  EXPECT_LT(reviewer.handle(long_word, "/validate", "application/json", "").body.size(), 400U);
  EXPECT_LT(reviewer.handle("POST", "/validate", long_word, "").body.size(), 400U);
}

TEST(HandlerLimits, AUidOfMoreThan256BytesIsNotRead) {
  Reviewer reviewer;
  Json review = create(pod(Json::object()));
  request(review)["uid"] = std::string(256, 'u');
  EXPECT_TRUE(reviewer.send("/validate", review).is_plain_allow());
  request(review)["uid"] = std::string(257, 'u');
  const Answer answer = reviewer.send("/validate", review);
  EXPECT_EQ(answer.status, 400);
  EXPECT_NE(answer.body.find("uid"), std::string::npos);
  EXPECT_LT(answer.body.size(), 200U);
}

}  // namespace
}  // namespace winadmit::test
