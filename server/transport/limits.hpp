// What clients of the webhook port may use: sizes, counts and times. `winadmit serve` has a flag
// for most of them.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>

#include "admission/answer.hpp"

namespace winadmit::server {

/// A request that holds more bytes than this is large: it gets its memory in its turn, in a
/// part of all memory (connection_table.hpp), and a thread of its own handles it
/// (large_reviews.hpp).
inline constexpr std::size_t kLargeBytes = std::size_t{256} * 1024;

/// Sizes in bytes.
struct HttpLimits {
  std::size_t max_header = 16 * 1024;  // request line and fields
  std::size_t max_body = kMaxReviewSize;
};

struct Limits {
  HttpLimits http{};

  // Each thread gets an equal part, rounded down to at least one; of the bytes at least what two
  // small requests and the largest request needs.
  std::size_t max_connections = 4096;
  std::size_t max_handshakes = 256;             // in progress
  std::size_t max_buffered = 16 * 1024 * 1024;  // bytes of requests and replies

  /// From the TCP connection to the end of the TLS handshake.
  std::chrono::milliseconds handshake_timeout{10'000};
  /// Between two requests.
  std::chrono::milliseconds idle_timeout{120'000};
  /// From the first byte of a request to the last byte of its reply.
  std::chrono::milliseconds request_timeout{10'000};
};

/// The part of a limit that each thread gets: rounded down, so that all together stay within it,
/// but at least one.
constexpr std::size_t share_of(std::size_t total, std::size_t threads) {
  return std::max<std::size_t>(total / threads, 1);
}

}  // namespace winadmit::server
