// The admin port: plain HTTP for probes, Prometheus and people. A thread of its own, so that it
// answers whatever the webhook is doing.
#pragma once

#include <atomic>
#include <list>
#include <thread>

#include "server/telemetry/metrics.hpp"
#include "server/transport/asio.hpp"

namespace winadmit::server {

class Admin {
 public:
  static constexpr std::size_t kMostConnections = 64;

  /// Listens at once, serves from start() on. Holds `most_connections` at once, up to
  /// kMostConnections. Throws boost::system::system_error.
  Admin(const Tcp::endpoint& endpoint, Metrics& metrics, std::size_t most_connections);
  ~Admin() { stop(); }
  Admin(const Admin&) = delete;
  Admin& operator=(const Admin&) = delete;

  /// `on_failure` is called, on the admin port's thread, if it cannot go on.
  void start(std::function<void()> on_failure);
  void stop();

  /// What /readyz says. From any thread.
  void set_ready(bool ready) { ready_ = ready; }

  Tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

 private:
  Task<void> accept();
  Task<void> serve(Socket socket);
  Task<void> return_memory();

  const Metrics& metrics_;
  Counter& errors_;  // counted as bad requests for an internal reason
  const std::size_t most_connections_;
  std::atomic<bool> ready_{true};
  std::list<Socket*> open_;  // the oldest first
  asio::io_context loop_{1};
  Acceptor acceptor_;
  std::jthread thread_;
};

/// GET /version: {"version": ..., "kubernetesVersion": ...}.
std::string version_json();

}  // namespace winadmit::server
