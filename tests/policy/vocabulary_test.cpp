// Paths, hashes and texts.
#include <gtest/gtest.h>

#include <stdexcept>

#include "policy/json/field_path.hpp"
#include "policy/json/hash.hpp"
#include "policy/json/text.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

TEST(FieldPath, IsWrittenAsTheApiServerDoesAndAsAPointer) {
  const test::ParsedJson container(R"({"name": "app"})");
  const test::ParsedJson port(R"({"containerPort": 80})");
  FieldPath path{"spec", "containers"};
  path.enter(1, container.value());
  path.enter("ports");
  path.enter(0, port.value());
  EXPECT_EQ(path.to_string(), "spec.containers[1].ports[0]");
  EXPECT_EQ(path.json_pointer(), "/spec/containers/1/ports/0");

  FieldPath annotation{"metadata", "annotations"};
  annotation.enter_key("a.b/c~d");
  EXPECT_EQ(annotation.to_string(), "metadata.annotations[a.b/c~d]");
  EXPECT_EQ(annotation.json_pointer(), "/metadata/annotations/a.b~1c~0d");
}

TEST(FieldPath, IsCopiedAsFarAsItGoesAndGoesNoDeeperThanItHolds) {
  FieldPath path;
  for (std::size_t i = 0; i < FieldPath::kMaxSteps; ++i) path.enter("a");
  FieldPath copy{"b"};
  copy = path;
  EXPECT_EQ(copy.to_string(), path.to_string());
  EXPECT_THROW(path.enter("a"), std::length_error);
  path.leave();
  path.enter("c");
  EXPECT_TRUE(path.to_string().ends_with(".a.c"));
  EXPECT_TRUE(copy.to_string().ends_with(".a.a"));
}

std::uint64_t identity(std::size_t index, const test::ParsedJson& entry) {
  FieldPath path{"spec", "containers"};
  path.enter(index, entry.value());
  Hasher hash;
  path.add_identity(hash);
  return hash.value();
}

TEST(FieldPath, IsTheSameWhereverANamedEntryStands) {
  const test::ParsedJson app(R"({"name": "app"})");
  const test::ParsedJson other(R"({"name": "other"})");
  const test::ParsedJson nameless("{}");
  const test::ParsedJson zero(R"({"name": "0"})");
  EXPECT_EQ(identity(0, app), identity(5, app));
  EXPECT_NE(identity(0, app), identity(0, other));
  EXPECT_NE(identity(0, nameless), identity(1, nameless));
  EXPECT_NE(identity(0, nameless), identity(0, zero));
}

TEST(Hasher, IsTheSameForTheSameContent) {
  const auto same = [](const char* a, const char* b, ListOrder order = ListOrder::significant) {
    return hash_of(test::ParsedJson(a).value(), order) ==
           hash_of(test::ParsedJson(b).value(), order);
  };
  EXPECT_TRUE(same(R"({"a":1,"b":[true,null]})", R"({"b":[true,null],"a":1})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":null})"));
  EXPECT_FALSE(same(R"({"a":1,"b":2})", R"({"a":2,"b":1})"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_TRUE(same("[1,2]", "[2,1]", ListOrder::ignored));
  EXPECT_TRUE(same(R"({"a":["x",["y","z"]]})", R"({"a":[["z","y"],"x"]})", ListOrder::ignored));
  EXPECT_FALSE(same("[1,2]", "[1,3]", ListOrder::ignored));
  EXPECT_FALSE(same("[1]", "[1,2]"));
  EXPECT_FALSE(same("[1]", "[1,1]", ListOrder::ignored));
  EXPECT_FALSE(same("[[1],2]", "[[1,2]]"));
  EXPECT_FALSE(same("1", "\"1\""));
  EXPECT_FALSE(same("0", "false"));
  EXPECT_FALSE(same("[]", "{}"));
  EXPECT_FALSE(same("\"\"", "null"));
  EXPECT_FALSE(same("1.5", "1.25"));
  EXPECT_FALSE(same("\"abcdefgh\"", "\"abcdefg\""));
  EXPECT_TRUE(same("18446744073709551615", "18446744073709551615"));
}

TEST(HashSet, HasWhatWasInsertedAndNothingElse) {
  HashSet set;
  EXPECT_FALSE(set.contains(0));
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_TRUE(set.insert(i * 16 + 1)) << i;
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_FALSE(set.insert(i * 16 + 1)) << i;
  for (std::uint64_t i = 2; i < 16'000; ++i) EXPECT_EQ(set.contains(i), i % 16 == 1) << i;
}

TEST(Text, IsCutBetweenCharacters) {
  EXPECT_EQ(truncate_utf8("abc", 3), "abc");
  EXPECT_EQ(truncate_utf8("abcd", 3), "abc");
  EXPECT_EQ(truncate_utf8("a\xE2\x98\x83", 3), "a");
  EXPECT_EQ(truncate_utf8("a\xE2\x98\x83", 4), "a\xE2\x98\x83");
  EXPECT_EQ(truncate_utf8(std::string(300, 'x')).size(), 253U);
}

TEST(Text, SeparatesThousands) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(599'900), "599,900");
  EXPECT_EQ(format_count(1'234'567), "1,234,567");
}

}  // namespace
}  // namespace winadmit
