// The server as a whole: options to a running process, and its orderly end.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "server/config/config.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::server {

struct Options {
  Config config;
  std::string listen = ":8443";
  std::string admin_listen = ":8080";
  std::string tls_cert;
  std::string tls_key;
  std::string client_ca;
  std::vector<std::string> client_names;
  bool dev = false;      // a self-signed pair made in memory
  unsigned threads = 0;  // 0: what the cgroup allows
  Limits limits;
  std::chrono::milliseconds drain_delay{5000};
  std::chrono::milliseconds drain_timeout{20000};
  std::chrono::milliseconds reload_interval{10000};
};

/// Serves until SIGTERM or SIGINT, then drains: /readyz turns 503, after drain_delay no connection
/// is accepted, requests in flight are answered. A second signal stops at once. Throws
/// std::exception where it cannot start or cannot go on. `started` is called once, with the
/// addresses that are bound.
void serve(const Options& options,
           const std::function<void(const Tcp::endpoint&, const Tcp::endpoint&)>& started);

}  // namespace winadmit::server
