#include "policy/json/hash.hpp"

#include <gtest/gtest.h>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

bool have_same_hash(const char* a, const char* b, ListOrder order) {
  return hash_of(test::ParsedJson(a).value(), order) == hash_of(test::ParsedJson(b).value(), order);
}

TEST(Hash, IsEqualForEqualValues) {
  for (const ListOrder order : {ListOrder::significant, ListOrder::ignored}) {
    EXPECT_TRUE(have_same_hash(R"({"a":1,"b":[true,null]})", R"({"b":[true,null],"a":1})", order));
    EXPECT_TRUE(have_same_hash("18446744073709551615", "18446744073709551615", order));
    EXPECT_TRUE(have_same_hash(R"("\u0041")", R"("A")", order));
  }
}

TEST(Hash, DiffersForDifferentValues) {
  struct Pair {
    const char* a;
    const char* b;
  };
  constexpr Pair kPairs[] = {
      {R"({"a":1})", R"({"a":1,"b":null})"},
      {R"({"a":1,"b":2})", R"({"a":2,"b":1})"},
      {"[1,2]", "[1,3]"},
      {"[1]", "[1,2]"},
      {"[1]", "[1,1]"},
      {"[[1],2]", "[[1,2]]"},
      {"1", "\"1\""},
      {"0", "false"},
      {"[]", "{}"},
      {"\"\"", "null"},
      {"1.5", "1.25"},
      {"\"abcdefgh\"", "\"abcdefg\""},
  };
  for (const ListOrder order : {ListOrder::significant, ListOrder::ignored}) {
    for (const auto& [a, b] : kPairs) EXPECT_FALSE(have_same_hash(a, b, order)) << a << ' ' << b;
  }
}

TEST(Hash, IgnoresTheOrderOfListsOnRequest) {
  EXPECT_FALSE(have_same_hash("[1,2]", "[2,1]", ListOrder::significant));
  EXPECT_TRUE(have_same_hash("[1,2]", "[2,1]", ListOrder::ignored));
  EXPECT_TRUE(
      have_same_hash(R"({"a":["x",["y","z"]]})", R"({"a":[["z","y"],"x"]})", ListOrder::ignored));
}

TEST(HashSet, ContainsExactlyWhatWasInserted) {
  HashSet set;
  EXPECT_FALSE(set.contains(0));
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_TRUE(set.insert(i * 16 + 1)) << i;
  for (std::uint64_t i = 0; i < 1000; ++i) EXPECT_FALSE(set.insert(i * 16 + 1)) << i;
  for (std::uint64_t i = 2; i < 16'000; ++i) EXPECT_EQ(set.contains(i), i % 16 == 1) << i;
}

}  // namespace
}  // namespace winadmit
