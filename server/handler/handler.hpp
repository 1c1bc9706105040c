// Answers one HTTP request, without a socket: finds the route, reads the review, decides, logs and
// counts.
#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "server/review/admit.hpp"
#include "server/telemetry/thread_metrics.hpp"

namespace winadmit::server {

struct HttpRequest {
  std::string_view method;
  std::string_view target;  // with the query
  std::string_view content_type;
  const char* body = nullptr;  // SIMDJSON_PADDING bytes after its end must be readable
  std::size_t size = 0;        // of the body
  std::chrono::steady_clock::time_point received = std::chrono::steady_clock::now();  // its end
};

inline constexpr std::string_view kJsonType = "application/json";

struct HttpReply {
  int status = 200;
  std::string_view content_type = kJsonType;
  fmt::memory_buffer body;

  std::string_view text() const { return {body.data(), body.size()}; }
};

/// Releases the memory of a buffer for replies that has grown over 64 KiB, so that a thread does
/// not keep it.
void release_if_large(fmt::memory_buffer& buffer);

/// A reply of one line of text. Control characters become spaces.
HttpReply plain_reply(int status, std::string_view line);

/// The timeout that the API server appends to a URL as ?timeout=10s, if it is there and valid.
std::optional<std::chrono::milliseconds> parse_timeout(std::string_view target);

/// The reply to a request that is refused without its body: 404, 405 or 415. The refusal is
/// counted.
std::optional<HttpReply> refuse_by_header(const HttpRequest& request, ThreadMetrics& metrics);

/// Answers requests of one thread. It reuses the memory of its parser and its reply.
class Handler {
 public:
  Handler(const Policy& policy, const Exemptions& exempt, ThreadMetrics& metrics)
      : policy_(policy), exempt_(exempt), metrics_(metrics) {}

  /// The reply is valid until the next request.
  HttpReply& handle(const HttpRequest& request);

  /// The reply to a request whose deadline has passed.
  HttpReply refuse_late();

 private:
  void answer(const Route& route, const HttpRequest& request);
  void record(const Route& route, const Review& review, const Admission& admission,
              std::chrono::steady_clock::duration duration);

  const Policy& policy_;
  const Exemptions& exempt_;
  ThreadMetrics& metrics_;
  simdjson::dom::parser parser_;
  HttpReply reply_;
};

}  // namespace winadmit::server
