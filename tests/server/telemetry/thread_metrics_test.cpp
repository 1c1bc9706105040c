#include "server/telemetry/thread_metrics.hpp"

#include <gtest/gtest.h>

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;

class ThreadMetricsTest : public testing::Test {
 protected:
  /// The bucket that counts a review of this duration.
  static std::size_t bucket_of(std::chrono::nanoseconds duration) {
    const NameTable none;
    NamespaceCounts counts;
    ThreadMetrics metrics(none, counts);
    metrics.count_review(kRoutes[0], Decision::allowed, duration);
    std::size_t bucket = 0;
    while (metrics.durations.at(bucket).value() == 0) ++bucket;
    return bucket;
  }

  static NameTable make_ids() {
    NameTable ids;
    ids.add("host-pid");
    return ids;
  }
  NameTable ids_ = make_ids();
  NamespaceCounts counts_;
  ThreadMetrics metrics_{ids_, counts_};
};

TEST_F(ThreadMetricsTest, CountsReviewsByPathAndDecision) {
  const Route& route = *find_route("/validate/warn");
  metrics_.count_review(route, Decision::warned, 3us);
  metrics_.count_review(route, Decision::warned, 4us);
  const auto at = static_cast<std::size_t>(&route - kRoutes.data());
  EXPECT_EQ(metrics_.reviews.at(at)[static_cast<std::size_t>(Decision::warned)].value(), 2U);
  EXPECT_EQ(metrics_.duration_nanoseconds.value(), 7000U);
}

TEST_F(ThreadMetricsTest, IncludesTheUpperBoundInABucket) {
  EXPECT_EQ(bucket_of(0ns), 0U);
  EXPECT_EQ(bucket_of(10us), 0U);
  EXPECT_EQ(bucket_of(10us + 1ns), 1U);
  EXPECT_EQ(bucket_of(10s), kDurationBuckets.size() - 1);
  EXPECT_EQ(bucket_of(10s + 1ns), kDurationBuckets.size());
}

TEST_F(ThreadMetricsTest, CountsFindingsOfKnownIdsOnly) {
  Finding finding;
  finding.id = "host-pid";
  finding.action = Action::warn;
  metrics_.count_finding(finding, Mode::warn);
  finding.id = "unknown";
  metrics_.count_finding(finding, Mode::warn);
  ASSERT_EQ(metrics_.findings.size(), 1U);
  EXPECT_EQ(metrics_.findings[0][static_cast<std::size_t>(Action::warn)][1].value(), 1U);
  EXPECT_EQ(metrics_.findings[0][static_cast<std::size_t>(Action::deny)][1].value(), 0U);
}

TEST_F(ThreadMetricsTest, CountsAFieldToStripThatIsStillThereAsAWarning) {
  Finding finding;
  finding.id = "host-pid";
  finding.action = Action::strip;
  metrics_.count_finding(finding, Mode::warn);
  EXPECT_EQ(metrics_.findings[0][static_cast<std::size_t>(Action::warn)][1].value(), 1U);
}

}  // namespace
}  // namespace winadmit::server
