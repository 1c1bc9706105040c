// The admin port: plain HTTP for probes, Prometheus and people. It has its own thread, so that it
// answers while the webhook is busy.
#pragma once

#include <atomic>
#include <functional>
#include <list>
#include <thread>

#include "server/telemetry/metrics.hpp"
#include "server/transport/asio.hpp"

namespace winadmit::server {

class Admin {
 public:
  static constexpr std::size_t kMaxConnections = 64;

  /// Listens at once; serves after start(). At `max_connections` a new connection closes another:
  /// the oldest of the source address with the most. Throws boost::system::system_error.
  Admin(const Tcp::endpoint& endpoint, Metrics& metrics, std::size_t max_connections);
  ~Admin() { stop(); }
  Admin(const Admin&) = delete;
  Admin& operator=(const Admin&) = delete;

  /// Starts the thread, which also gives memory back to the system: that takes milliseconds, in
  /// which a webhook loop would serve nobody. Calls `on_failure`, on the thread, if the port cannot
  /// serve any more.
  void start(std::function<void()> on_failure);

  /// Stops the event loop and waits for its thread. The port cannot be started again.
  void stop();

  /// Whether /readyz answers 200 or 503. Thread-safe.
  void set_ready(bool ready) { ready_ = ready; }

  Tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

 private:
  struct Connection {
    Socket* socket;
    asio::ip::address source;
  };

  Task<error_code> accept_one();
  Task<void> serve(Socket socket);
  void make_room(const error_code& error);
  void close_one();

  const Metrics& metrics_;
  ThreadMetrics& thread_metrics_;
  Counter& errors_;  // exceptions: bad requests with the reason "internal"
  const std::size_t max_connections_;
  std::atomic<bool> ready_{true};
  std::list<Connection> open_;  // oldest first
  asio::io_context loop_{1};
  Acceptor acceptor_;
  std::jthread thread_;
};

}  // namespace winadmit::server
