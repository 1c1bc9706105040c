// The number of connections that the process has file descriptors for.
#pragma once

#include <cstddef>

namespace winadmit::server {

struct ConnectionCounts {
  std::size_t webhook;
  std::size_t admin;
};

/// Raises the soft limit of open files (RLIMIT_NOFILE) as far as `wanted` needs it. Returns
/// `wanted`, or fewer connections if the hard limit is too low. `threads`: of the webhook, each
/// with an event loop. Throws std::runtime_error if hardly any connection would be left.
ConnectionCounts raise_descriptor_limit(const ConnectionCounts& wanted, std::size_t threads);

}  // namespace winadmit::server
