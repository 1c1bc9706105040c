#include "server/transport/descriptors.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace winadmit::server {
namespace {

/// For event loops, listening sockets, files, and connections that are being closed.
constexpr std::size_t kOtherDescriptors = 128;

}  // namespace

ConnectionCounts raise_descriptor_limit(const ConnectionCounts& wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t needed = wanted.webhook + wanted.admin + kOtherDescriptors;
  if (limit.rlim_cur < needed) {
    limit.rlim_cur = std::min(needed, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur >= needed) return wanted;
  // Under a low limit the webhook gets at least a half, and the admin port at most an eighth.
  const std::size_t admin = std::min<std::size_t>(wanted.admin, limit.rlim_cur / 8);
  const std::size_t others = std::min<std::size_t>(admin + kOtherDescriptors, limit.rlim_cur / 2);
  return {.webhook = std::min<std::size_t>(wanted.webhook, limit.rlim_cur - others),
          .admin = admin};
}

}  // namespace winadmit::server
