#include "server/handler/http_message.hpp"

#include "server/handler/go_duration.hpp"
#include "text/text.hpp"

namespace winadmit::server {

void release_if_large(fmt::memory_buffer& buffer) {
  static constexpr std::size_t kMaxKept = 1U << 16U;  // in bytes
  if (buffer.capacity() > kMaxKept) buffer = fmt::memory_buffer();
}

HttpReply plain_reply(int status, std::string_view line) {
  HttpReply reply;
  reply.status = status;
  reply.content_type = kTextType;
  for (const char c : line) reply.body.push_back(is_control(c) ? ' ' : c);
  reply.body.push_back('\n');
  return reply;
}

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

std::optional<std::chrono::milliseconds> parse_timeout(std::string_view target) {
  static constexpr std::string_view kKey = "timeout=";
  const std::size_t query = target.find('?');
  if (query == std::string_view::npos) return std::nullopt;
  std::string_view rest = target.substr(query + 1);
  while (!rest.starts_with(kKey)) {
    const std::size_t next = rest.find('&');
    if (next == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(next + 1);
  }
  rest = rest.substr(kKey.size(), rest.find('&') - kKey.size());
  return parse_go_duration(rest);
}

}  // namespace winadmit::server
