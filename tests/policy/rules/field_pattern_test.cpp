#include "policy/rules/field_pattern.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(FieldPattern, IsParsedIntoSteps) {
  const auto steps = parse_field_pattern("volumes[*].{secret,configMap}.items[*]");
  ASSERT_TRUE(steps);
  ASSERT_EQ(steps->size(), 3U);
  using StepNames = std::vector<std::string_view>;
  EXPECT_EQ(steps->at(0).names, StepNames{"volumes"});
  EXPECT_TRUE(steps->at(0).is_list);
  EXPECT_EQ(steps->at(1).names, (StepNames{"secret", "configMap"}));
  EXPECT_FALSE(steps->at(1).is_list);
  EXPECT_EQ(steps->at(2).names, StepNames{"items"});
  EXPECT_TRUE(steps->at(2).is_list);
  EXPECT_TRUE(parse_field_pattern("")->empty());
}

TEST(FieldPattern, IsRejectedIfMalformed) {
  for (const std::string_view field :
       {".", ".a", "a.", "a..b", "a[0]", "a[*", "[*]", "{a", "a}", "{}", "{a,}", "{,a}", "{a,,b}",
        "{a.b}", "a b", "a,b", "*", "a{b,c}"}) {
    EXPECT_FALSE(parse_field_pattern(field)) << field;
  }
}

TEST(FieldPattern, HasAPathForEachContainerListAndBrace) {
  EXPECT_EQ(paths_of(Scope::pod, "hostPID"), std::vector<std::string>{"spec.hostPID"});
  EXPECT_EQ(paths_of(Scope::each_non_ephemeral, "a.{b,c}[*].d"),
            (std::vector<std::string>{"spec.containers[*].a.b[*].d", "spec.containers[*].a.c[*].d",
                                      "spec.initContainers[*].a.b[*].d",
                                      "spec.initContainers[*].a.c[*].d"}));
  EXPECT_EQ(paths_of(Scope::each_ephemeral, ""),
            std::vector<std::string>{"spec.ephemeralContainers[*]"});
  EXPECT_EQ(paths_of(Scope::pod_and_containers, "a"),
            (std::vector<std::string>{"spec.a", "spec.containers[*].a", "spec.initContainers[*].a",
                                      "spec.ephemeralContainers[*].a"}));
  EXPECT_EQ(paths_of(Scope::pod, "{a,b}.{c,d}").size(), 4U);
  EXPECT_EQ(paths_of(Scope::annotation, "a.b/c"),
            std::vector<std::string>{"metadata.annotations[a.b/c]"});
}

TEST(FieldPattern, TellsAFieldFromItsMembers) {
  EXPECT_TRUE(is_same_path("spec.a", "spec.a"));
  EXPECT_TRUE(is_same_path("spec.a[*]", "spec.a"));
  EXPECT_FALSE(is_same_path("spec.ab", "spec.a"));
  EXPECT_FALSE(is_same_path("spec.a.b", "spec.a"));

  EXPECT_TRUE(is_below("spec.a.b", "spec.a"));
  EXPECT_TRUE(is_below("spec.a[*].b.c", "spec.a"));
  EXPECT_FALSE(is_below("spec.a", "spec.a"));
  EXPECT_FALSE(is_below("spec.a[*]", "spec.a"));
  EXPECT_FALSE(is_below("spec.ab.c", "spec.a"));
}

TEST(FieldPattern, OfAnAnnotationMatchesAnyTextForTheStar) {
  EXPECT_TRUE(matches_annotation("a.b/c", "a.b/c"));
  EXPECT_FALSE(matches_annotation("a.b/c", "a.b/cd"));
  EXPECT_TRUE(matches_annotation("a.b/*", "a.b/c"));
  EXPECT_TRUE(matches_annotation("*.a.b/c", "x.a.b/c"));
  EXPECT_FALSE(matches_annotation("*.a.b/c", "x.a.b/d"));
  EXPECT_FALSE(matches_annotation("ab*ba", "aba")) << "both ends need letters of their own";
}

}  // namespace
}  // namespace winadmit
