#include "cli/judge/patch_sign.hpp"

#include <gtest/gtest.h>

#include "tests/policy/parsed.hpp"

namespace winadmit::cli {
namespace {

std::string sign_of(const std::string& spec) {
  const test::ParsedPod parsed('{' + spec + '}');
  return find_patch_sign(parsed.pod(), parsed.object());
}

TEST(PatchSign, IsAContainerThatIsNotComplete) {
  EXPECT_EQ(sign_of(""), "it has no containers");
  EXPECT_EQ(sign_of(R"("containers":[])"), "it has no containers");
  EXPECT_EQ(sign_of(R"("containers":[{"name":"a"}])"), "it has a container without image");
  EXPECT_EQ(sign_of(R"("containers":[{"image":null}])"), "it has a container without image");
  EXPECT_EQ(sign_of(R"("initContainers":[{}],"containers":[{"image":"a"}])"),
            "it has a container without image");
  EXPECT_EQ(sign_of(R"("containers":[{"image":"a"}])"), "");
}

TEST(PatchSign, IsADirectiveOfAStrategicMergePatch) {
  const auto with = [](const std::string& key) {
    return sign_of(R"("containers":[{"image":"a","args":[[{"b":1}],{")" + key + R"(":[]}]}])");
  };
  for (const std::string directive :
       {"$patch", "$retainKeys", "$setElementOrder/args", "$deleteFromPrimitiveList/args"}) {
    EXPECT_EQ(with(directive), "it has " + directive);
  }
  EXPECT_EQ(with("$other"), "");
  EXPECT_EQ(with("a$patch"), "");
}

TEST(WithoutPod, IsAnObjectWithoutAPodSpec) {
  const PodKind& deployment = *find_pod_kind("Deployment", "apps");
  const auto is_without = [&](const std::string& text) {
    const test::ParsedJson parsed(text);
    return is_without_pod(deployment, parsed.object());
  };
  EXPECT_TRUE(is_without(R"({"spec":{"replicas":3}})"));
  EXPECT_TRUE(is_without(R"({"spec":{"template":null}})"));
  EXPECT_TRUE(is_without(R"({"spec":{"selector":{},"template":{"metadata":{"labels":{}}}}})"));
  for (const char* text : {R"({"spec":[]})", R"({"spec":"x"})", R"({"spec":{"template":[]}})"})
    EXPECT_FALSE(is_without(text)) << text;
}

}  // namespace
}  // namespace winadmit::cli
