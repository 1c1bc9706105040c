#include "server/processors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "tests/temporary_folder.hpp"

namespace winadmit::server {
namespace {

class ProcessorsTest : public testing::Test {
 protected:
  ProcessorsTest() { std::filesystem::create_directory(cgroup_ / "cpu"); }

  unsigned allowed_with(const std::string& file, const std::string& text) const {
    cgroup_.write(file, text);
    return allowed_processors(cgroup_.path());
  }

  const test::TemporaryFolder cgroup_;
  const unsigned machine_ = std::max(1U, std::thread::hardware_concurrency());
};

TEST_F(ProcessorsTest, AreThoseOfTheMachineWithoutALimit) {
  EXPECT_EQ(allowed_processors(cgroup_.path()), machine_);
  EXPECT_EQ(allowed_with("cpu.max", "max 100000\n"), machine_);
  EXPECT_EQ(allowed_with("cpu.max", "nonsense\n"), machine_);
  EXPECT_EQ(allowed_with("cpu.max", "100000 0\n"), machine_);
}

TEST_F(ProcessorsTest, AreTheLimitOfTheCgroupRoundedUp) {
  EXPECT_EQ(allowed_with("cpu.max", "10000 100000\n"), 1U);
  EXPECT_EQ(allowed_with("cpu.max", "100000 100000\n"), 1U);
  EXPECT_EQ(allowed_with("cpu.max", "100001 100000\n"), std::min(2U, machine_));
}

TEST_F(ProcessorsTest, AreAtMostThoseOfTheMachine) {
  EXPECT_EQ(allowed_with("cpu.max", "99000000 100000\n"), machine_);
}

TEST_F(ProcessorsTest, ReadTheLimitOfCgroupV1) {
  cgroup_.write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(allowed_with("cpu/cpu.cfs_quota_us", "50000\n"), 1U);
  EXPECT_EQ(allowed_with("cpu/cpu.cfs_quota_us", "-1\n"), machine_) << "no limit";
}

}  // namespace
}  // namespace winadmit::server
