#include "server/transport/descriptors.hpp"

#include <sys/resource.h>

#include <algorithm>

namespace winadmit::server {
namespace {

/// For event loops, listening, files, and connections that are closing.
constexpr std::size_t kOthers = 128;

}  // namespace

ConnectionLimits reserve_descriptors(const ConnectionLimits& wanted) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return wanted;
  const rlim_t all = wanted.webhook + wanted.admin + kOthers;
  if (limit.rlim_cur < all) {
    limit.rlim_cur = std::min(all, limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    getrlimit(RLIMIT_NOFILE, &limit);
  }
  if (limit.rlim_cur >= all) return wanted;
  // Where there are few, half serve the webhook and an eighth the admin port.
  const std::size_t admin = std::min<std::size_t>(wanted.admin, limit.rlim_cur / 8);
  const std::size_t others = std::min<std::size_t>(admin + kOthers, limit.rlim_cur / 2);
  return {.webhook = std::min<std::size_t>(wanted.webhook, limit.rlim_cur - others),
          .admin = admin};
}

}  // namespace winadmit::server
