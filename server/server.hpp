// The server as a whole: options to a running process, and its orderly end.
#pragma once

#include <chrono>
#include <functional>
#include <string>

#include "server/config.hpp"
#include "server/connection.hpp"

namespace winadmit::server {

struct Options {
  Config config;
  std::string listen = "0.0.0.0:8443";
  std::string admin_listen = "0.0.0.0:8080";
  std::string tls_cert;
  std::string tls_key;
  std::string client_ca;
  bool dev = false;      // a self-signed pair made in memory
  unsigned threads = 0;  // 0: what the cgroup allows
  Limits limits;
  std::chrono::milliseconds drain_delay{5000};
  std::chrono::milliseconds drain_timeout{20000};
  std::chrono::milliseconds reload_interval{10000};
};

/// Processors that the cgroup allows, rounded up; at least 1, at most what the machine has.
unsigned allowed_processors();

/// Serves until SIGTERM or SIGINT, then drains: /readyz turns 503, after drain_delay no connection
/// is accepted, requests in flight are answered. Throws std::exception where it cannot start.
/// `started` is called once, with the addresses that are bound.
void serve(const Options& options,
           const std::function<void(const Tcp::endpoint&, const Tcp::endpoint&)>& started);

}  // namespace winadmit::server
