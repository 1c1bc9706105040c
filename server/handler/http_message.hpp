// A request and a reply of HTTP, without a socket.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string_view>

namespace winadmit::server {

struct HttpRequest {
  std::string_view method;
  std::string_view target;  // with the query
  std::string_view content_type;
  std::string_view body;  // SIMDJSON_PADDING bytes after its end must be readable
  std::chrono::steady_clock::time_point received =
      std::chrono::steady_clock::now();  // its last byte
};

inline constexpr std::string_view kJsonType = "application/json";
inline constexpr std::string_view kTextType = "text/plain; charset=utf-8";

struct HttpReply {
  int status = 200;
  std::string_view content_type = kJsonType;
  fmt::memory_buffer body;
  bool is_logged = false;  // whether the handler logs its request, as a review or an error

  std::string_view text() const { return {body.data(), body.size()}; }
};

/// Releases the memory of a buffer for replies that has grown over 64 KiB, so that a thread does
/// not keep it.
void release_if_large(fmt::memory_buffer& buffer);

/// A reply of one line of text. Control characters become spaces.
HttpReply plain_reply(int status, std::string_view line);

/// The target of a request without the query.
std::string_view path_of(std::string_view target);

/// The timeout that the API server appends to a URL as ?timeout=10s, if it is there and valid.
std::optional<std::chrono::milliseconds> parse_timeout(std::string_view target);

}  // namespace winadmit::server
