#include "policy/json_text.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace winadmit {
namespace {

std::string in_quotes(std::string_view text) {
  std::string json;
  append_json_string(json, text);
  return json;
}

TEST(JsonText, IsReadBackAsItWasWhateverTheByteAndWhereverItStands) {
  for (std::size_t length = 1; length <= 33; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (int code = 0; code < 0x80; ++code) {
        std::string text(length, '!');
        text[at] = static_cast<char>(code);
        ASSERT_EQ(nlohmann::json::parse(in_quotes(text)).get<std::string>(), text)
            << code << " at " << at << " of " << length;
      }
    }
  }
}

TEST(JsonText, IsPlainOnlyWhereNoByteNeedsAnEscape) {
  for (std::size_t length = 1; length <= 33; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (int code = 0; code < 0x100; ++code) {
        std::string text(length, ' ');
        text[at] = static_cast<char>(code);
        const bool plain = code >= 0x20 && code < 0x80 && code != '"' && code != '\\';
        ASSERT_EQ(is_plain(text), plain) << code << " at " << at << " of " << length;
      }
    }
  }
  EXPECT_TRUE(is_plain(""));
}

TEST(JsonText, KeepsUtf8AndReplacesWhatIsNone) {
  EXPECT_EQ(in_quotes("a\xE2\x98\x83"), "\"a\xE2\x98\x83\"");
  EXPECT_EQ(nlohmann::json::parse(in_quotes("a\xE2\x98")).get<std::string>(), "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace winadmit
