// What Linux says about this process: the values of the process_* metrics, which all client
// libraries of Prometheus have but prometheus-cpp. Empty where /proc cannot be read.
#pragma once

#include <optional>

namespace winadmit::server {

/// User and system time of all threads, in seconds.
std::optional<double> process_cpu_seconds();

std::optional<double> process_resident_bytes();
std::optional<double> process_virtual_bytes();

/// Open file descriptors, and the soft limit of their number.
std::optional<double> process_open_descriptors();
std::optional<double> process_max_descriptors();

/// As a Unix timestamp in seconds. Always the same, because a change would look like a restart.
std::optional<double> process_start_time();

}  // namespace winadmit::server
