// What clients of the webhook port may take: sizes, counts and times. Each has a flag of `serve`.
#pragma once

#include <chrono>
#include <cstddef>

namespace winadmit::server {

/// Sizes in bytes.
struct HttpLimits {
  std::size_t max_header = 16 * 1024;      // request line and fields
  std::size_t max_body = 7 * 1024 * 1024;  // an UPDATE carries two objects
};

/// The threads share the counts and the bytes equally.
struct Limits {
  HttpLimits http{};
  std::size_t max_connections = 4096;
  std::size_t max_handshakes = 256;             // at once
  std::size_t max_buffered = 16 * 1024 * 1024;  // bytes of requests and replies
  std::chrono::milliseconds handshake_timeout{10'000};
  std::chrono::milliseconds idle_timeout{120'000};  // between requests
  std::chrono::milliseconds request_timeout{
      10'000};  // first byte of the request to last of the reply
};

}  // namespace winadmit::server
