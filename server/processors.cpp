#include "server/processors.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace winadmit::server {
namespace {

/// The quota of cgroup v2 ("200000 100000" is two processors), or of v1; 0 for none.
unsigned cgroup_processors() {
  std::string quota;
  double period = 0;
  if (std::ifstream file("/sys/fs/cgroup/cpu.max"); !(file >> quota >> period)) {
    std::ifstream quota_file("/sys/fs/cgroup/cpu/cpu.cfs_quota_us");
    std::ifstream period_file("/sys/fs/cgroup/cpu/cpu.cfs_period_us");
    if (!(quota_file >> quota) || !(period_file >> period)) return 0;
  }
  const double microseconds = quota == "max" ? 0 : std::atof(quota.c_str());
  if (microseconds <= 0 || period <= 0) return 0;
  return static_cast<unsigned>((microseconds + period - 1) / period);
}

}  // namespace

unsigned allowed_processors() {
  const unsigned machine = std::max(1U, std::thread::hardware_concurrency());
  const unsigned quota = cgroup_processors();
  return quota == 0 ? machine : std::clamp(quota, 1U, machine);
}

}  // namespace winadmit::server
