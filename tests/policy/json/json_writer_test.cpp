#include "policy/json/json_writer.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace winadmit {
namespace {

std::string json_string(std::string_view text) {
  fmt::memory_buffer json;
  append_json_string(json, text);
  return fmt::to_string(json);
}

TEST(JsonWriter, EscapesEveryAsciiByteAtEveryPosition) {
  for (std::size_t length = 1; length <= 33; ++length) {
    for (std::size_t at = 0; at < length; ++at) {
      for (int code = 0; code < 0x80; ++code) {
        std::string text(length, '!');
        text[at] = static_cast<char>(code);
        ASSERT_EQ(nlohmann::json::parse(json_string(text)).get<std::string>(), text)
            << code << " at " << at << " of " << length;
      }
    }
  }
}

TEST(JsonWriter, SetsCommasBetweenValues) {
  fmt::memory_buffer text;
  JsonWriter out(text);
  out.begin_object();
  out.key("a").begin_array().end_array();
  out.key("b")
      .begin_array()
      .number(-1)
      .number(2)
      .begin_object()
      .end_object()
      .string("x")
      .end_array();
  out.key("c").begin_object().key("d").boolean(false).key("e").json("[1]").end_object();
  out.key("\n").string("");
  out.end_object();
  EXPECT_EQ(fmt::to_string(text), R"({"a":[],"b":[-1,2,{},"x"],"c":{"d":false,"e":[1]},"\n":""})");
}

TEST(JsonWriter, KeepsUtf8AndReplacesInvalidUtf8) {
  EXPECT_EQ(json_string("a\xE2\x98\x83"), "\"a\xE2\x98\x83\"");
  EXPECT_EQ(nlohmann::json::parse(json_string("a\xE2\x98")).get<std::string>(), "a\xEF\xBF\xBD");
}

}  // namespace
}  // namespace winadmit
