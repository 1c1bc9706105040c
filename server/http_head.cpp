#include "server/http_head.hpp"

#include <boost/beast/http/status.hpp>

namespace winadmit::server {

void append_reply(TextBuffer& to, int status, std::string_view content_type, std::string_view body,
                  bool keep_alive) {
  append(to, "HTTP/1.1 ");
  if (status == 200) {
    append(to, "200 OK");
  } else {
    const auto code = static_cast<boost::beast::http::status>(status);
    const std::string_view reason = boost::beast::http::obsolete_reason(code);
    append(to, Decimal(static_cast<std::size_t>(status)), " ", reason);
  }
  append(to, "\r\nContent-Type: ", content_type, "\r\nContent-Length: ", Decimal(body.size()),
         status == 405 ? "\r\nAllow: POST" : "", keep_alive ? "" : "\r\nConnection: close",
         "\r\n\r\n", body);
}

}  // namespace winadmit::server
