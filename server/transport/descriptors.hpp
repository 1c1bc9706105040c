// How many connections the process has file descriptors for.
#pragma once

#include <cstddef>

namespace winadmit::server {

struct ConnectionLimits {
  std::size_t webhook;
  std::size_t admin;
};

/// Raises the soft limit of open files (RLIMIT_NOFILE) as far as the connections need it, and
/// returns how many of them there are descriptors for.
ConnectionLimits reserve_descriptors(const ConnectionLimits& wanted);

}  // namespace winadmit::server
