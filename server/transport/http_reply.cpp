#include "server/transport/http_reply.hpp"

#include <boost/beast/http/status.hpp>
#include <iterator>
#include <string_view>

namespace winadmit::server {

void append_reply(fmt::memory_buffer& to, const HttpReply& reply, const ReplyOptions& options) {
  const std::string_view body = reply.text();
  const auto reason =
      boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(reply.status));
  const auto append = [&to](auto... pieces) { (to.append(std::string_view(pieces)), ...); };
  append("HTTP/1.1 ", fmt::format_int(reply.status).c_str(), " ",
         std::string_view(reason.data(), reason.size()), "\r\nContent-Type: ", reply.content_type,
         "\r\nContent-Length: ", fmt::format_int(body.size()).c_str());
  if (reply.status == 405) append("\r\nAllow: ", options.allow);
  if (!options.keep_alive) append("\r\nConnection: close");
  if (options.keep_alive && options.is_http_1_0) append("\r\nConnection: keep-alive");
  append("\r\n\r\n", options.omit_body ? "" : body);
}

}  // namespace winadmit::server
