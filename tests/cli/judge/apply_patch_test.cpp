#include "cli/judge/apply_patch.hpp"

#include <gtest/gtest.h>

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// Applies the patch both ways. "" if the text cannot be patched.
std::string patched(const json& object, const Patch& patch) {
  std::string text = object.dump();
  if (!TextPatcher().apply(patch, "", text)) return "";
  json wanted = object;
  apply_patch(patch, wanted);
  EXPECT_EQ(json::parse(text), wanted);
  return text;
}

TEST(ApplyPatch, AddsMembersAndEntriesToATextAsToAnObject) {
  const json pod = {{"spec", {{"list", {1}}, {"empty", json::array()}, {"map", json::object()}}}};
  EXPECT_EQ(patched(pod, {{"add", "/spec/os", R"({"name":"windows"})"}}),
            R"({"spec":{"empty":[],"list":[1],"map":{},"os":{"name":"windows"}}})");
  EXPECT_EQ(patched(pod, {{"add", "/spec/list/-", "2"}, {"add", "/spec/list/-", "3"}}),
            R"({"spec":{"empty":[],"list":[1,2,3],"map":{}}})");
  EXPECT_EQ(patched(pod, {{"add", "/spec/empty/-", "1"}, {"add", "/spec/map/a.b~1c", "\"x\""}}),
            R"({"spec":{"empty":[1],"list":[1],"map":{"a.b/c":"x"}}})");
}

TEST(ApplyPatch, AddsToTheObjectOfAReview) {
  std::string review = R"({"request":{"object":{"spec":{}},"oldObject":{"spec":{}}}})";
  EXPECT_TRUE(TextPatcher().apply({{"add", "/spec/os", "1"}}, "/request/object", review));
  EXPECT_EQ(review, R"({"request":{"object":{"spec":{"os":1}},"oldObject":{"spec":{}}}})");
}

TEST(ApplyPatch, LeavesToTheObjectWhatIsMoreThanAnAddition) {
  const json pod = {{"spec", {{"hostPID", true}, {"list", {1}}, {"text", "x"}, {"none", nullptr}}}};
  for (const PatchOperation& each : Patch{{"remove", "/spec/hostPID", ""},
                                          {"add", "/spec/hostPID", "false"},
                                          {"add", "/spec/none", "1"},
                                          {"add", "/spec/text/-", "1"},
                                          {"add", "/spec/list/7", "1"},
                                          {"add", "/spec/list/member", "1"},
                                          {"add", "/metadata/labels", "{}"},
                                          {"add", "/os", "1"}}) {
    EXPECT_EQ(patched(pod, {each}), "") << each.path;
  }
}

}  // namespace
}  // namespace winadmit::cli
