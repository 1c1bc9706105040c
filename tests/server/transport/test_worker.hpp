// A worker without a listener. Its event loop runs when a test says so.
#pragma once

#include <chrono>

#include "certs/issue.hpp"
#include "config/config.hpp"
#include "server/telemetry/log.hpp"
#include "server/telemetry/metrics.hpp"
#include "server/transport/endpoint.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::test {

/// Runs the event loop until the condition holds, for at most five seconds. Returns whether it
/// holds.
template <class Condition>
bool run_until(server::asio::io_context& loop, Condition condition) {
  const auto end = server::Clock::now() + std::chrono::seconds(5);
  while (!condition()) {
    if (server::Clock::now() > end) return false;
    loop.restart();
    loop.run_one_for(std::chrono::milliseconds(1));
  }
  return true;
}

inline server::TlsContext make_context() {
  return server::make_tls_context(certs::parse_pair(certs::issue_self_signed()), {});
}

struct TestWorker {
  explicit TestWorker(const server::Limits& its_limits = {}) : limits(its_limits) {
    server::set_up_logging(spdlog::level::off, server::LogFormat::json);
  }

  server::Handler handler() { return {policy, config.exempt, metrics}; }
  std::uint16_t port() const { return acceptor.local_endpoint().port(); }

  /// Waits for the next client.
  server::Socket accept() {
    server::Socket socket(worker.loop);
    acceptor.accept(socket);
    socket.non_blocking(true);
    return socket;
  }

  server::Limits limits;
  server::Config config;
  Policy policy{config.policy};
  server::Metrics all_metrics{"1.34"};
  server::ThreadMetrics& metrics = all_metrics.add_thread();
  server::LargeReviews large_reviews{handler()};
  server::Worker worker{limits, 1, handler(), metrics, large_reviews};
  server::Acceptor acceptor = server::listen_on(worker.loop, server::parse_endpoint("127.0.0.1:0"));
  server::TlsContext context = make_context();
};

}  // namespace winadmit::test
