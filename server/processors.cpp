#include "server/processors.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

namespace winadmit::server {
namespace {

/// 0 without a limit. cpu.max of cgroup v2 holds quota and period in microseconds:
/// "200000 100000" is two processors, "max 100000" is no limit.
unsigned limit_of(const std::filesystem::path& cgroup) {
  std::string quota;
  double period = 0;
  if (std::ifstream file(cgroup / "cpu.max"); !(file >> quota >> period)) {
    std::ifstream quota_file(cgroup / "cpu/cpu.cfs_quota_us");
    std::ifstream period_file(cgroup / "cpu/cpu.cfs_period_us");
    if (!(quota_file >> quota) || !(period_file >> period)) return 0;
  }
  const double microseconds = quota == "max" ? 0 : std::atof(quota.c_str());
  if (microseconds <= 0 || period <= 0) return 0;
  return static_cast<unsigned>((microseconds + period - 1) / period);
}

}  // namespace

unsigned allowed_processors(const std::filesystem::path& cgroup) {
  const unsigned machine = std::max(1U, std::thread::hardware_concurrency());
  const unsigned limit = limit_of(cgroup);
  return limit == 0 ? machine : std::min(limit, machine);
}

}  // namespace winadmit::server
