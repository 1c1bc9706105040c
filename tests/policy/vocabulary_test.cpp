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
  const test::Parsed container(R"({"name": "app"})");
  const test::Parsed port(R"({"containerPort": 80})");
  FieldPath path{"spec", "containers"};
  path.enter(1, container.json());
  path.enter("ports");
  path.enter(0, port.json());
  EXPECT_EQ(path.text(), "spec.containers[1].ports[0]");
  EXPECT_EQ(path.pointer(), "/spec/containers/1/ports/0");

  FieldPath annotation{"metadata", "annotations"};
  annotation.enter_key("a.b/c~d");
  EXPECT_EQ(annotation.text(), "metadata.annotations[a.b/c~d]");
  EXPECT_EQ(annotation.pointer(), "/metadata/annotations/a.b~1c~0d");
}

TEST(FieldPath, IsCopiedAsFarAsItGoesAndGoesNoDeeperThanItHolds) {
  FieldPath path;
  for (std::size_t i = 0; i < FieldPath::kMostSteps; ++i) path.enter("a");
  FieldPath copy{"b"};
  copy = path;
  EXPECT_EQ(copy.text(), path.text());
  EXPECT_THROW(path.enter("a"), std::length_error);
  path.leave();
  path.enter("c");
  EXPECT_TRUE(path.text().ends_with(".a.c"));
  EXPECT_TRUE(copy.text().ends_with(".a.a"));
}

std::uint64_t identity(std::size_t index, const test::Parsed& entry) {
  FieldPath path{"spec", "containers"};
  path.enter(index, entry.json());
  Hash hash;
  path.add_identity(hash);
  return hash.value();
}

TEST(FieldPath, IsTheSameWhereverANamedEntryStands) {
  const test::Parsed app(R"({"name": "app"})");
  const test::Parsed other(R"({"name": "other"})");
  const test::Parsed nameless("{}");
  const test::Parsed zero(R"({"name": "0"})");
  EXPECT_EQ(identity(0, app), identity(5, app));
  EXPECT_NE(identity(0, app), identity(0, other));
  EXPECT_NE(identity(0, nameless), identity(1, nameless));
  EXPECT_NE(identity(0, nameless), identity(0, zero));
}

TEST(Hash, IsTheSameForTheSameContent) {
  const auto same = [](const char* a, const char* b, Lists lists = Lists::ordered) {
    return hash_of(test::Parsed(a).json(), lists) == hash_of(test::Parsed(b).json(), lists);
  };
  EXPECT_TRUE(same(R"({"a":1,"b":[true,null]})", R"({"b":[true,null],"a":1})"));
  EXPECT_FALSE(same(R"({"a":1})", R"({"a":1,"b":null})"));
  EXPECT_FALSE(same(R"({"a":1,"b":2})", R"({"a":2,"b":1})"));
  EXPECT_FALSE(same("[1,2]", "[2,1]"));
  EXPECT_TRUE(same("[1,2]", "[2,1]", Lists::as_sets));
  EXPECT_TRUE(same(R"({"a":["x",["y","z"]]})", R"({"a":[["z","y"],"x"]})", Lists::as_sets));
  EXPECT_FALSE(same("[1,2]", "[1,3]", Lists::as_sets));
  EXPECT_FALSE(same("[1]", "[1,2]"));
  EXPECT_FALSE(same("[1]", "[1,1]", Lists::as_sets));
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
  EXPECT_EQ(cut("abc", 3), "abc");
  EXPECT_EQ(cut("abcd", 3), "abc");
  EXPECT_EQ(cut("a\xE2\x98\x83", 3), "a");
  EXPECT_EQ(cut("a\xE2\x98\x83", 4), "a\xE2\x98\x83");
  EXPECT_EQ(cut(std::string(300, 'x')).size(), 253U);
}

TEST(Text, SeparatesThousands) {
  EXPECT_EQ(with_separators(0), "0");
  EXPECT_EQ(with_separators(999), "999");
  EXPECT_EQ(with_separators(1000), "1,000");
  EXPECT_EQ(with_separators(599'900), "599,900");
  EXPECT_EQ(with_separators(1'234'567), "1,234,567");
}

}  // namespace
}  // namespace winadmit
