// One HTTP request to one HTTP reply, without a socket: which path, is it a review at all, what is
// decided, what is logged and counted.
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
  std::string_view target;  // with its query
  std::string_view content_type;
  /// SIMDJSON_PADDING readable bytes behind it.
  const char* body = nullptr;
  std::size_t size = 0;
};

inline constexpr std::string_view kJsonType = "application/json";

struct HttpReply {
  int status = 200;
  std::string_view content_type = kJsonType;
  fmt::memory_buffer body;

  std::string_view text() const { return {body.data(), body.size()}; }
};

/// A plain line for a person; what is no printable character in it is replaced.
HttpReply plain_reply(int status, std::string_view line);

/// The deadline that the API server asks for by ?timeout=10s, or nothing.
std::optional<std::chrono::milliseconds> timeout_of(std::string_view target);

/// What needs no look at the body: 404, 405, 415. Nothing if the body is worth reading.
std::optional<HttpReply> refuse_by_head(const HttpRequest& request, ThreadMetrics& metrics);

/// Answers reviews. One for each thread: it owns a parser and a reply, whose memory is reused.
class Handler {
 public:
  Handler(const Policy& policy, const Exemptions& exempt, ThreadMetrics& metrics)
      : policy_(policy), exempt_(exempt), metrics_(metrics) {}

  /// The reply is good until the next request.
  HttpReply& handle(const HttpRequest& request);

  /// The reply to a request that has waited longer than its caller does.
  HttpReply refuse_late();

 private:
  void answer(const Route& route, const HttpRequest& request);
  bool can_refuse(const Route& route, const Review& review) const;
  void record(const Route& route, const Review& review, const Admission& admission,
              std::chrono::steady_clock::time_point start);

  const Policy& policy_;
  const Exemptions& exempt_;
  ThreadMetrics& metrics_;
  simdjson::dom::parser parser_;
  HttpReply reply_;
};

}  // namespace winadmit::server
