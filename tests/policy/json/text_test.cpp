#include "policy/json/text.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(Text, TruncatesBetweenCharacters) {
  EXPECT_EQ(truncate_utf8("abc", 3), "abc");
  EXPECT_EQ(truncate_utf8("abcd", 3), "abc");
  EXPECT_EQ(truncate_utf8("a\xE2\x98\x83", 3), "a");
  EXPECT_EQ(truncate_utf8("a\xE2\x98\x83", 4), "a\xE2\x98\x83");
  EXPECT_EQ(truncate_utf8("\x80\x80\x80", 2), "") << "continuation bytes only";
  EXPECT_EQ(truncate_utf8(std::string(300, 'x')).size(), 253U);
}

TEST(Text, TruncatesTheMiddleBetweenCharacters) {
  EXPECT_EQ(truncate_middle_utf8("abcdefgh", 8), "abcdefgh");
  EXPECT_EQ(truncate_middle_utf8("abcdefgh", 7), "ab...gh");
  EXPECT_EQ(truncate_middle_utf8("abcdefgh", 6), "a...gh");
  EXPECT_EQ(truncate_middle_utf8("abcdefgh", 3), "...");
  const std::string snowmen = "\xE2\x98\x83\xE2\x98\x83\xE2\x98\x83";
  EXPECT_EQ(truncate_middle_utf8(snowmen, 8), "...\xE2\x98\x83");
  EXPECT_EQ(truncate_middle_utf8(snowmen + snowmen, 9), "\xE2\x98\x83...\xE2\x98\x83");
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
