#include "server/telemetry/process_status.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

namespace winadmit::server {
namespace {

/// The value of a line of /proc/self/status, in bytes.
double status_bytes(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ':')) return std::stod(line.substr(name.size() + 1)) * 1024;
  }
  return -1;
}

TEST(ProcessStatus, CountsTheTimeThatThisProcessWorks) {
  const auto before = process_cpu_seconds();
  ASSERT_TRUE(before);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (*process_cpu_seconds() < *before + 0.02) {
    ASSERT_LT(std::chrono::steady_clock::now(), end);
  }
}

TEST(ProcessStatus, ReadsTheMemoryThatTheKernelReports) {
  const double virtual_bytes = status_bytes("VmSize");
  const double resident = status_bytes("VmRSS");
  ASSERT_GT(resident, 0);
  EXPECT_NEAR(process_virtual_bytes().value_or(0), virtual_bytes, virtual_bytes / 10);
  EXPECT_NEAR(process_resident_bytes().value_or(0), resident, resident / 2);
}

TEST(ProcessStatus, CountsEachOpenDescriptorOnce) {
  const auto before = process_open_descriptors();
  ASSERT_TRUE(before);
  EXPECT_GE(*before, 1);
  EXPECT_EQ(process_open_descriptors(), before) << "not the one that counting opens";
  std::vector<int> opened;
  for (int i = 0; i < 3; ++i) opened.push_back(::dup(STDERR_FILENO));
  EXPECT_EQ(process_open_descriptors(), *before + 3);
  for (const int descriptor : opened) ::close(descriptor);
}

TEST(ProcessStatus, ReadsTheSoftLimitOfDescriptors) {
  rlimit limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &limit), 0);
  EXPECT_EQ(process_max_descriptors(), static_cast<double>(limit.rlim_cur));
}

TEST(ProcessStatus, StartedInThePastAndKeepsThatTime) {
  const std::chrono::duration<double> now = std::chrono::system_clock::now().time_since_epoch();
  const auto start = process_start_time();
  ASSERT_TRUE(start);
  EXPECT_LE(*start, now.count() + 0.1);
  EXPECT_GT(*start, now.count() - 3600) << "no test run takes an hour";
  EXPECT_EQ(process_start_time(), start);
}

}  // namespace
}  // namespace winadmit::server
