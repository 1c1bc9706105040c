#include <gtest/gtest.h>

#include "certs/description.hpp"

namespace winadmit::certs {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::sys_seconds kStart = std::chrono::sys_days(std::chrono::year(2026) / 1 / 1);

TEST(Expiry, IsSilentUntilAFifthOfTheLifetimeIsLeft) {
  for (const std::chrono::seconds lifetime : {24h, 72h, 90 * 24h, 365 * 24h}) {
    SCOPED_TRACE(lifetime.count());
    const auto end = kStart + lifetime;
    EXPECT_EQ(expiry_warning(kStart, end, kStart), "");
    EXPECT_EQ(expiry_warning(kStart, end, end - lifetime / 3), "") << "renewed only now";
    EXPECT_EQ(expiry_warning(kStart, end, end - lifetime / 5 - 1s), "");
    EXPECT_NE(expiry_warning(kStart, end, end - lifetime / 5), "");
  }
}

TEST(Expiry, SaysWhenTheCertificateExpiresOrExpired) {
  const auto end = kStart + 240h;
  const std::string before = expiry_warning(kStart, end, end - 1h);
  EXPECT_EQ(before,
            "the served certificate expires at 2026-01-11T00:00:00Z: less than a fifth of its "
            "lifetime is left");
  EXPECT_EQ(expiry_warning(kStart, end, end), before);
  EXPECT_EQ(expiry_warning(kStart, end, end + 1s),
            "the served certificate expired at 2026-01-11T00:00:00Z");
}

}  // namespace
}  // namespace winadmit::certs
