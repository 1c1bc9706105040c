// The whole server: starts, serves, drains and stops.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "config/config.hpp"
#include "server/served_certificate.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::server {

struct Options {
  Config config;
  std::string listen = ":8443";
  std::string admin_listen = ":8080";
  CertificateOptions certificate;
  /// kMatchConditionsAnnotation of the webhook configurations; unset: not known.
  std::optional<std::string> match_conditions;
  unsigned threads = 0;  // 0: one for each allowed processor
  Limits limits;
  std::chrono::milliseconds drain_delay{5000};
  std::chrono::milliseconds drain_timeout{20000};
  std::chrono::milliseconds reload_interval{10000};
};

/// Serves until SIGTERM or SIGINT, then drains: /readyz answers 503, after drain_delay no
/// connection is accepted, and requests in flight are answered for at most drain_timeout. A second
/// signal stops at once. Throws std::exception if the server cannot start or cannot continue. Calls
/// `started` once, with the addresses of the webhook port and the admin port.
void serve(const Options& options,
           const std::function<void(const Tcp::endpoint&, const Tcp::endpoint&)>& started);

}  // namespace winadmit::server
