#include "server/telemetry/log_limit.hpp"

#include <gtest/gtest.h>

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;

TEST(LogLimit, AllowsOneLineInEachIntervalAndCountsTheOthers) {
  LogLimit limit(60s);
  const LogLimit::Clock::time_point start{};
  EXPECT_EQ(limit.next(start), 0U);
  EXPECT_EQ(limit.next(start), std::nullopt);
  EXPECT_EQ(limit.next(start + 59s), std::nullopt);
  EXPECT_EQ(limit.next(start + 60s), 2U);
  EXPECT_EQ(limit.next(start + 119s), std::nullopt);
  EXPECT_EQ(limit.next(start + 120s), 1U);
  EXPECT_EQ(limit.next(start + 180s), 0U);
}

}  // namespace
}  // namespace winadmit::server
