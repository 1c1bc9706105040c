// The number of connections under limits of file descriptors. Each case has its own process,
// because a process has one limit.
#include "server/transport/descriptors.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <cstdlib>
#include <iostream>
#include <stdexcept>

namespace winadmit::server {
namespace {

struct DescriptorCase {
  rlim_t soft;
  rlim_t hard;
  std::size_t webhook;
  std::size_t admin;
  rlim_t soft_afterwards;
  std::size_t threads = 2;
};

constexpr ConnectionCounts kWanted{.webhook = 4096, .admin = 64};

/// Exits with 0 if raise_descriptor_limit() has this result.
[[noreturn]] void exit_with_whether(const DescriptorCase& expected) {
  rlimit limit{.rlim_cur = expected.soft, .rlim_max = expected.hard};
  if (setrlimit(RLIMIT_NOFILE, &limit) != 0) std::_Exit(2);
  const ConnectionCounts limits = raise_descriptor_limit(kWanted, expected.threads);
  getrlimit(RLIMIT_NOFILE, &limit);
  const bool is_expected = limits.webhook == expected.webhook && limits.admin == expected.admin &&
                           limit.rlim_cur == expected.soft_afterwards;
  std::_Exit(is_expected ? 0 : 1);
}

void expect(const DescriptorCase& expected) {
  EXPECT_EXIT(exit_with_whether(expected), testing::ExitedWithCode(0), "");
}

TEST(Descriptors, RaisesTheSoftLimitAsFarAsNeeded) { expect({300, 5000, 4096, 64, 4288}); }

TEST(Descriptors, LeavesALimitThatIsHighEnough) { expect({4500, 5000, 4096, 64, 4500}); }

TEST(Descriptors, ServesFewerConnectionsUnderALowHardLimit) { expect({300, 1000, 808, 64, 1000}); }

TEST(Descriptors, LeavesHalfOfAVeryLowLimitToTheWebhook) { expect({64, 100, 31, 7, 100}); }

TEST(Descriptors, CountsThoseOfTheEventLoops) {
  // 32 + 64 * 3 are in use, and 32 are left.
  expect({256, 256, 16, 4, 256, 64});
}

TEST(Descriptors, RefusesALimitThatLeavesHardlyAnyConnection) {
  const auto raise = [] {
    const rlimit limit{.rlim_cur = 100, .rlim_max = 100};
    if (setrlimit(RLIMIT_NOFILE, &limit) != 0) std::_Exit(2);
    try {
      raise_descriptor_limit(kWanted, 64);
    } catch (const std::runtime_error& error) {
      std::cerr << error.what();
      std::_Exit(0);
    }
    std::_Exit(1);
  };
  EXPECT_EXIT(raise(), testing::ExitedWithCode(0),
              "the limit of open files is 100: too low for 64 threads");
}

}  // namespace
}  // namespace winadmit::server
