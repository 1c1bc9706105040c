// Durations of Go in the timeout of a request.
#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <string>

#include "server/handler/http_message.hpp"

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;

std::optional<std::chrono::milliseconds> parse(const std::string& duration) {
  return parse_timeout("/validate?timeout=" + duration);
}

TEST(GoDuration, AddsUpNumbersWithUnits) {
  EXPECT_EQ(parse("10s"), 10s);
  EXPECT_EQ(parse("1.5s"), 1500ms);
  EXPECT_EQ(parse("250ms"), 250ms);
  EXPECT_EQ(parse("1m"), 60s);
  EXPECT_EQ(parse("1m30s"), 90s);
  EXPECT_EQ(parse("0s"), 0ms);
}

TEST(GoDuration, IsNothingForOtherText) {
  for (const char* text : {"", "s", "10", "-1s", "10h", "10 s", "1e99s", "nans", "infs", "1s2"}) {
    EXPECT_EQ(parse(text), std::nullopt) << text;
  }
}

TEST(GoDuration, IsAtMostABillionMilliseconds) {
  EXPECT_EQ(parse("2000000ms"), 2000s);
  EXPECT_EQ(parse("1000000m"), std::chrono::milliseconds(1'000'000'000));
  EXPECT_EQ(parse("9000000000000ms"), std::chrono::milliseconds(1'000'000'000));
}

}  // namespace
}  // namespace winadmit::server
