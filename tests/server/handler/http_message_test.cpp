// What is read from the target of a request, and replies of one line.
#include "server/handler/http_message.hpp"

#include <gtest/gtest.h>

namespace winadmit::server {
namespace {

TEST(HttpMessage, ParsesTheTimeoutOfTheQuery) {
  struct Case {
    const char* target;
    std::optional<std::chrono::milliseconds> expected;
  };
  constexpr std::chrono::seconds kTwo{2};
  const Case kCases[] = {
      {"/validate", std::nullopt},
      {"/validate?timeout=2s", kTwo},
      {"/validate?a=b&timeout=2s", kTwo},
      {"/validate?timeout=2s&a=b", kTwo},
      {"/validate?mytimeout=2s", std::nullopt},
      {"/validate?timeout=", std::nullopt},
      {"/validate?timeout=10", std::nullopt},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.target);
    EXPECT_EQ(parse_timeout(each.target), each.expected);
  }
}

TEST(HttpMessage, APlainReplyIsOneLineWithoutControlCharacters) {
  const HttpReply reply = plain_reply(400, "a\r\nb\x7F");
  EXPECT_EQ(reply.status, 400);
  EXPECT_EQ(reply.content_type, "text/plain; charset=utf-8");
  EXPECT_EQ(reply.text(), "a  b \n");
}

TEST(HttpMessage, ReleasesOnlyTheMemoryOfLargeBuffers) {
  fmt::memory_buffer buffer;
  buffer.resize(1U << 16U);
  release_if_large(buffer);
  EXPECT_EQ(buffer.size(), 1U << 16U);
  buffer.resize((1U << 16U) + 1);
  release_if_large(buffer);
  EXPECT_LT(buffer.capacity(), 1024U);
}

}  // namespace
}  // namespace winadmit::server
