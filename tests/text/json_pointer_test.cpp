#include "text/json_pointer.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

using Tokens = std::vector<std::string>;

TEST(JsonPointer, EscapesAndUnescapesTokens) {
  EXPECT_EQ(escape_pointer_token("kubernetes.io/os~1"), "kubernetes.io~1os~01");
  for (const std::string token : {"", "a", "~", "/", "~1", "~~/a/0~", "kubernetes.io/os"})
    EXPECT_EQ(unescape_pointer_token(escape_pointer_token(token)), token);
}

TEST(JsonPointer, HasTokens) {
  EXPECT_EQ(pointer_tokens(""), Tokens{});
  EXPECT_EQ(pointer_tokens("/"), Tokens{""});
  EXPECT_EQ(pointer_tokens("/a/0/b~1c/-"), (Tokens{"a", "0", "b/c", "-"}));
  EXPECT_EQ(pointer_tokens("//a/"), (Tokens{"", "a", ""}));
}

TEST(JsonPointer, HasAParentAndALastToken) {
  EXPECT_EQ(parent_pointer("/a/b~1c"), "/a");
  EXPECT_EQ(last_pointer_token("/a/b~1c"), "b/c");
  EXPECT_EQ(parent_pointer("/a"), "");
  EXPECT_EQ(last_pointer_token("/a"), "a");
  EXPECT_EQ(parent_pointer(""), "");
  EXPECT_EQ(last_pointer_token(""), "");
}

TEST(JsonPointer, NamesEntriesByTheirIndex) {
  EXPECT_EQ(parse_pointer_index("0"), 0U);
  EXPECT_EQ(parse_pointer_index("12"), 12U);
  for (const char* token : {"", "-", "-1", "1a", " 1", "99999999999999999999"})
    EXPECT_EQ(parse_pointer_index(token), std::nullopt) << token;
}

}  // namespace
}  // namespace winadmit
