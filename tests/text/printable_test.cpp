#include "text/printable.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <string>

namespace winadmit {
namespace {

TEST(Printable, LeavesTextAlone) {
  for (const char* text :
       {"", "Pod shop/web", R"(\\.\pipe\csi)", "Gr\u00FC\u00DFe \u4E16\u754C \u2764\uFE0F"}) {
    EXPECT_EQ(printable(text), text);
  }
}

TEST(Printable, EscapesControlCharacters) {
  EXPECT_EQ(printable("a\nb\r\tc"), "a\\nb\\r\\tc");
  EXPECT_EQ(printable("\x1b[31m\x7f"), "\\x1b[31m\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  EXPECT_EQ(printable("\u0085\u009B"), "\\u0085\\u009b") << "C1";
}

TEST(Printable, EscapesWhatMovesOrHidesText) {
  EXPECT_EQ(printable("\u202Eabc\u2066"), "\\u202eabc\\u2066");
  EXPECT_EQ(printable("a\u200Bb\uFEFF"), "a\\u200bb\\ufeff");
  EXPECT_EQ(printable("\u2028\u2029"), "\\u2028\\u2029");
  EXPECT_EQ(printable("\U000E0041"), "\\U000e0041");
  EXPECT_EQ(printable("\u115F\u3164\uFFA0"), "\\u115f\\u3164\\uffa0") << "letters without a glyph";
  EXPECT_EQ(printable("\uFFFE\uFFFF\uFDD0"), "\\ufffe\\uffff\\ufdd0") << "noncharacters";
}

TEST(Printable, EscapesBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("\xff"), "\\xff");
  EXPECT_EQ(printable("a\xc3"), "a\\xc3") << "an incomplete character";
  EXPECT_EQ(printable("\xc0\x8a"), "\\xc0\\x8a") << "an overlong line feed";
  EXPECT_EQ(printable("\xe0\x80\x8a"), "\\xe0\\x80\\x8a");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "above U+10FFFF";
}

TEST(Printable, GivesOneLineOfUtf8ForAnyBytes) {
  std::string bytes;
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; second += 5) {
      bytes += static_cast<char>(first);
      bytes += static_cast<char>(second);
      bytes += static_cast<char>(first ^ second);
    }
  }
  const std::string safe = printable(bytes);
  EXPECT_TRUE(simdjson::validate_utf8(safe));
  EXPECT_EQ(safe.find_first_of("\n\r\x1b"), std::string::npos);
  EXPECT_EQ(printable(safe), safe);
}

}  // namespace
}  // namespace winadmit
