#include "text/text.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(Text, IsTrimmedAtBothEnds) {
  EXPECT_EQ(trim(" \t a b\r\n"), "a b");
  EXPECT_EQ(trim("a"), "a");
  EXPECT_EQ(trim(" \n "), "");
  EXPECT_EQ(trim(""), "");
}

TEST(Text, IsComparedIgnoringTheCaseOfAsciiLetters) {
  EXPECT_TRUE(equals_ignoring_case("ContainerUser", "containerUSER"));
  EXPECT_FALSE(equals_ignoring_case("a", "ab"));
  EXPECT_FALSE(equals_ignoring_case("@", "`")) << "letters alone";
  EXPECT_FALSE(equals_ignoring_case("\xC3\x84", "\xC3\xA4"));
}

TEST(Text, HasLettersAndDigitsOfAscii) {
  std::string letters_and_digits, lower_and_digits;
  for (int c = 0; c < 256; ++c) {
    if (is_alphanumeric(static_cast<char>(c))) letters_and_digits += static_cast<char>(c);
    if (is_lower_or_digit(static_cast<char>(c))) lower_and_digits += static_cast<char>(c);
  }
  EXPECT_EQ(letters_and_digits, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz");
  EXPECT_EQ(lower_and_digits, "0123456789abcdefghijklmnopqrstuvwxyz");
}

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

TEST(Text, FindsTheBeginOfTheNextLine) {
  EXPECT_EQ(next_line_begin("a\r\nb"), 3U);
  EXPECT_EQ(next_line_begin("a\n\nb", 1), 2U);
  EXPECT_EQ(next_line_begin("a\n\nb", 2), 3U);
  EXPECT_EQ(next_line_begin("a\nb", 2), 3U);
  EXPECT_EQ(next_line_begin("a\n", 2), 2U);
  EXPECT_EQ(next_line_begin(""), 0U);
}

}  // namespace
}  // namespace winadmit
