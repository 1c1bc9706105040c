// Writes HTTP/1.1 replies.
#pragma once

#include <fmt/format.h>

#include <string_view>

#include "server/handler/http_message.hpp"

namespace winadmit::server {

struct ReplyOptions {
  bool keep_alive = true;
  bool is_http_1_0 =
      false;               // the request: its client has to be told that the connection stays open
  bool omit_body = false;  // for HEAD
  std::string_view allow = "POST";  // the methods that a reply with 405 names
};

/// Appends header and body as one piece, so that they become one TLS record and one send.
void append_reply(fmt::memory_buffer& to, const HttpReply& reply, const ReplyOptions& options);

}  // namespace winadmit::server
