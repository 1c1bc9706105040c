// The admin port: plain HTTP for probes, Prometheus and people.
#pragma once

#include <atomic>

#include "server/asio.hpp"
#include "server/metrics.hpp"

namespace winadmit::server {

class Admin {
 public:
  /// Binds at once. Throws boost::system::system_error.
  Admin(asio::io_context& loop, const Tcp::endpoint& endpoint, const Metrics& metrics);

  Task<void> accept();
  void close();

  /// What /readyz says.
  void set_ready(bool ready) { ready_ = ready; }

  Tcp::endpoint endpoint() const { return acceptor_.local_endpoint(); }

 private:
  Task<void> serve(Socket socket);

  const Metrics& metrics_;
  Acceptor acceptor_;
  bool ready_ = true;
  std::size_t open_ = 0;
};

/// GET /version: {"version": ..., "kubernetesVersion": ...}.
std::string version_json();

}  // namespace winadmit::server
