#include "server/handler/http_message.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <string_view>

#include "text/text.hpp"

namespace winadmit::server {
namespace {

/// 0 for an unknown unit.
double milliseconds_in(std::string_view unit) {
  if (unit == "ms") return 1;
  if (unit == "s") return 1000;
  if (unit == "m") return 60'000;
  return 0;
}

/// Supports the units m, s and ms, and fractions. Returns nothing for other text and for negative
/// durations. Durations of more than 1e9 ms count as 1e9 ms.
std::optional<std::chrono::milliseconds> parse_go_duration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  double milliseconds = 0;
  while (!text.empty()) {
    double value = 0;
    const auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !std::isfinite(value) || value < 0) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    const std::string_view unit = text.substr(0, text.find_first_of("0123456789."));
    text.remove_prefix(unit.size());
    const double factor = milliseconds_in(unit);
    if (factor == 0) return std::nullopt;
    milliseconds += value * factor;
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(milliseconds, 1e9)));
}

}  // namespace

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
