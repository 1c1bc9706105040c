#include "server/telemetry/certificate_warning.hpp"

#include <chrono>

#include "certs/description.hpp"

namespace winadmit::server {

std::string certificate_warning(const Metrics& metrics) {
  using std::chrono::sys_seconds, std::chrono::seconds;
  const std::int64_t not_after = metrics.certificate_not_after();
  if (not_after == 0) return "";
  return certs::expiry_warning(sys_seconds(seconds(metrics.certificate_not_before())),
                               sys_seconds(seconds(not_after)), certs::current_time());
}

}  // namespace winadmit::server
