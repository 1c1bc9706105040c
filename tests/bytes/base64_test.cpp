#include "bytes/base64.hpp"

#include <gtest/gtest.h>

namespace winadmit {
namespace {

TEST(Base64, EncodesTheExamplesOfRfc4648) {
  constexpr std::pair<std::string_view, std::string_view> kExamples[] = {{"", ""},
                                                                         {"f", "Zg=="},
                                                                         {"fo", "Zm8="},
                                                                         {"foo", "Zm9v"},
                                                                         {"foob", "Zm9vYg=="},
                                                                         {"fooba", "Zm9vYmE="},
                                                                         {"foobar", "Zm9vYmFy"}};
  for (const auto& [bytes, text] : kExamples) {
    EXPECT_EQ(to_base64(bytes), text);
    EXPECT_EQ(from_base64(text), bytes);
  }
}

TEST(Base64, DecodesEveryByte) {
  std::string bytes;
  for (int byte = 0; byte < 256; ++byte) bytes += static_cast<char>(byte);
  EXPECT_EQ(from_base64(to_base64(bytes)), bytes);
}

TEST(Base64, DecodesNothingFromOtherText) {
  for (const char* text : {"!", "Zg", "Zg=", "Zm9v!", "====", "Z===", "Zg==Zg==", "Z=9v", " Zm9v",
                           "Zm9v ", "Zm9v\t", "Zm9v\n", "Zm9v-", "Zm9v----"})
    EXPECT_EQ(from_base64(text), std::nullopt) << text;
}

}  // namespace
}  // namespace winadmit
