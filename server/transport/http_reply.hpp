// Writes HTTP/1.1 replies.
#pragma once

#include <fmt/format.h>

#include "server/handler/handler.hpp"

namespace winadmit::server {

struct ReplyForm {
  bool keep_alive = true;
  bool without_body = false;  // the reply to HEAD
};

/// Appends head and body in one piece, so that they are one TLS record and one send.
void append_reply(fmt::memory_buffer& to, const HttpReply& reply, const ReplyForm& form);

}  // namespace winadmit::server
