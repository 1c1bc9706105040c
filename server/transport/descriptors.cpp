#include "server/transport/descriptors.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <stdexcept>
#include <string>

namespace winadmit::server {
namespace {

/// Of an event loop: epoll, its wake-up and its timer.
constexpr std::size_t kLoopDescriptors = 3;
/// For the other event loops, listening sockets and files.
constexpr std::size_t kFixedDescriptors = 32;
/// For connections that are being closed.
constexpr std::size_t kClosingConnections = 90;
/// A server with fewer is of no use.
constexpr std::size_t kFewestConnections = 16;

}  // namespace

ConnectionCounts raise_descriptor_limit(const ConnectionCounts& wanted, std::size_t threads) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t in_use = kFixedDescriptors + threads * kLoopDescriptors;
  const rlim_t needed = wanted.webhook + wanted.admin + kClosingConnections + in_use;
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min(needed, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur >= needed) return wanted;
  if (limit.rlim_cur <= in_use + kFewestConnections) {
    throw std::runtime_error("the limit of open files is " + std::to_string(limit.rlim_cur) +
                             ": too low for " + std::to_string(threads) +
                             " threads; raise it (RLIMIT_NOFILE), or lower --threads");
  }
  // Under a low limit the webhook gets at least a half of the rest, and the admin port at most an
  // eighth.
  const std::size_t free = limit.rlim_cur - in_use;
  const std::size_t admin = std::min<std::size_t>(wanted.admin, free / 8);
  const std::size_t others = std::min<std::size_t>(admin + kClosingConnections, free / 2);
  return {.webhook = std::min<std::size_t>(wanted.webhook, free - others), .admin = admin};
}

}  // namespace winadmit::server
