// A warning that the served certificate ends, for the log and for /readyz.
#pragma once

#include <string>

#include "server/telemetry/metrics.hpp"

namespace winadmit::server {

/// What certs::expiry_warning() says now about the certificate whose lifetime the metrics have.
/// Empty if there is nothing to warn of.
std::string certificate_warning(const Metrics& metrics);

}  // namespace winadmit::server
