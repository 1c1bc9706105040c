#include "server/http_head.hpp"

#include <array>
#include <boost/beast/http/status.hpp>
#include <charconv>

namespace winadmit::server {

void append_reply(std::string& to, int status, std::string_view content_type, std::string_view body,
                  bool keep_alive) {
  const auto append_number = [&to](std::size_t number) {
    std::array<char, 20> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    to.append(digits.data(), end);
  };
  if (status == 200) {
    to += "HTTP/1.1 200 OK";
  } else {
    const auto reason =
        boost::beast::http::obsolete_reason(static_cast<boost::beast::http::status>(status));
    to += "HTTP/1.1 ";
    append_number(static_cast<std::size_t>(status));
    to += ' ';
    to.append(reason.data(), reason.size());
  }
  to.append("\r\nContent-Type: ").append(content_type).append("\r\nContent-Length: ");
  append_number(body.size());
  if (status == 405) to += "\r\nAllow: POST";
  if (!keep_alive) to += "\r\nConnection: close";
  to.append("\r\n\r\n").append(body);
}

}  // namespace winadmit::server
