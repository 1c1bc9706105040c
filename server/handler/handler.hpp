// Answers one HTTP request, without a socket: finds the route, reads the review, decides, logs and
// counts.
#pragma once

#include <simdjson.h>

#include <chrono>
#include <optional>

#include "admission/admit.hpp"
#include "server/handler/http_message.hpp"
#include "server/telemetry/thread_metrics.hpp"

namespace winadmit::server {

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
