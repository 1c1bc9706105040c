#include "server/handler/go_duration.hpp"

#include <gtest/gtest.h>

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;

TEST(GoDuration, AddsUpNumbersWithUnits) {
  EXPECT_EQ(parse_go_duration("10s"), 10s);
  EXPECT_EQ(parse_go_duration("1.5s"), 1500ms);
  EXPECT_EQ(parse_go_duration("250ms"), 250ms);
  EXPECT_EQ(parse_go_duration("1m"), 60s);
  EXPECT_EQ(parse_go_duration("1m30s"), 90s);
  EXPECT_EQ(parse_go_duration("0s"), 0ms);
}

TEST(GoDuration, IsNothingForOtherText) {
  for (const char* text : {"", "s", "10", "-1s", "10h", "10 s", "1e99s", "nans", "infs", "1s2"}) {
    EXPECT_EQ(parse_go_duration(text), std::nullopt) << text;
  }
}

TEST(GoDuration, IsAtMostABillionMilliseconds) {
  EXPECT_EQ(parse_go_duration("2000000ms"), 2000s);
  EXPECT_EQ(parse_go_duration("1000000m"), std::chrono::milliseconds(1'000'000'000));
  EXPECT_EQ(parse_go_duration("9000000000000ms"), std::chrono::milliseconds(1'000'000'000));
}

}  // namespace
}  // namespace winadmit::server
