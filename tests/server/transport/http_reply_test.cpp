// The bytes of a reply.
#include "server/transport/http_reply.hpp"

#include <gtest/gtest.h>

#include <string>

namespace winadmit::server {
namespace {

std::string written(const HttpReply& reply, const ReplyOptions& options) {
  fmt::memory_buffer bytes;
  append_reply(bytes, reply, options);
  return {bytes.data(), bytes.size()};
}

TEST(HttpReply, HasAHeaderAndABody) {
  EXPECT_EQ(written(plain_reply(404, "no"), {}),
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain; charset=utf-8\r\n"
            "Content-Length: 3\r\n\r\nno\n");
}

TEST(HttpReply, HasConnectionCloseWithoutKeepAlive) {
  EXPECT_EQ(written(plain_reply(413, "large"), {.keep_alive = false}),
            "HTTP/1.1 413 Payload Too Large\r\nContent-Type: text/plain; charset=utf-8\r\n"
            "Content-Length: 6\r\nConnection: close\r\n\r\nlarge\n");
}

TEST(HttpReply, TellsAClientOfHttp10ThatTheConnectionStaysOpen) {
  const auto has_keep_alive = [](const ReplyOptions& options) {
    return written(plain_reply(404, "no"), options).find("\r\nConnection: keep-alive\r\n") !=
           std::string::npos;
  };
  EXPECT_TRUE(has_keep_alive({.is_http_1_0 = true}));
  EXPECT_FALSE(has_keep_alive({.keep_alive = false, .is_http_1_0 = true}));
  EXPECT_FALSE(has_keep_alive({}));
}

TEST(HttpReply, HasAllowFor405) {
  EXPECT_NE(written(plain_reply(405, "no"), {}).find("\r\nAllow: POST\r\n"), std::string::npos);
  EXPECT_NE(written(plain_reply(405, "no"), {.allow = "GET"}).find("\r\nAllow: GET\r\n"),
            std::string::npos);
}

TEST(HttpReply, ToHeadHasTheLengthWithoutTheBody) {
  const std::string bytes = written(plain_reply(404, "no"), {.omit_body = true});
  EXPECT_NE(bytes.find("\r\nContent-Length: 3\r\n"), std::string::npos);
  EXPECT_TRUE(bytes.ends_with("\r\n\r\n"));
}

TEST(HttpReply, IsAppended) {
  fmt::memory_buffer bytes;
  append_reply(bytes, plain_reply(404, "one"), {});
  const std::size_t first = bytes.size();
  append_reply(bytes, plain_reply(404, "two"), {});
  EXPECT_TRUE(std::string_view(bytes.data(), bytes.size()).ends_with("two\n"));
  EXPECT_EQ(bytes.size(), 2 * first);
}

}  // namespace
}  // namespace winadmit::server
