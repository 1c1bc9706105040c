#include "server/telemetry/process_status.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>

namespace winadmit::server {
namespace {

/// The number at `index` of /proc/self/statm, in bytes.
std::optional<double> memory_bytes(int index) {
  std::ifstream file("/proc/self/statm");
  std::uint64_t pages = 0;
  for (int i = 0; i <= index; ++i) file >> pages;
  if (!file) return std::nullopt;
  return static_cast<double>(pages) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

double to_seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// Field 22 of /proc/self/stat: seconds from the boot of the system to the start of the process.
std::optional<double> start_after_boot() {
  constexpr int kFieldsBetween = 19;  // fields 3 to 21
  std::ifstream file("/proc/self/stat");
  std::string text;
  if (!std::getline(file, text)) return std::nullopt;
  // Field 2, the name of the program in parentheses, may contain spaces and parentheses.
  std::istringstream fields(text.substr(text.rfind(')') + 1));
  std::string skipped;
  for (int i = 0; i < kFieldsBetween; ++i) fields >> skipped;
  double ticks = 0;
  if (!(fields >> ticks)) return std::nullopt;
  return ticks / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

std::optional<double> read_start_time() {
  const auto after_boot = start_after_boot();
  timespec since_boot{};
  if (!after_boot || ::clock_gettime(CLOCK_BOOTTIME, &since_boot) != 0) return std::nullopt;
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  return now.count() - static_cast<double>(since_boot.tv_sec) -
         static_cast<double>(since_boot.tv_nsec) / 1e9 + *after_boot;
}

}  // namespace

std::optional<double> process_cpu_seconds() {
  rusage usage{};
  if (::getrusage(RUSAGE_SELF, &usage) != 0) return std::nullopt;
  return to_seconds(usage.ru_utime) + to_seconds(usage.ru_stime);
}

std::optional<double> process_resident_bytes() { return memory_bytes(1); }

std::optional<double> process_virtual_bytes() { return memory_bytes(0); }

std::optional<double> process_open_descriptors() {
  std::error_code error;
  std::filesystem::directory_iterator each("/proc/self/fd", error);
  double count = -1;  // the iterator has one of them open
  for (; !error && each != std::filesystem::directory_iterator(); each.increment(error)) ++count;
  if (error) return std::nullopt;
  return count;
}

std::optional<double> process_max_descriptors() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return std::nullopt;
  if (limit.rlim_cur == RLIM_INFINITY) return std::numeric_limits<double>::infinity();
  return static_cast<double>(limit.rlim_cur);
}

std::optional<double> process_start_time() {
  static const std::optional<double> kStart = read_start_time();
  return kStart;
}

}  // namespace winadmit::server
