// Which memory large and small connections may take from one another.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "server/transport/limits.hpp"
#include "tests/server/transport/fake_connection.hpp"

namespace winadmit::server {
namespace {

using test::FakeConnection;
using test::kOne;
using test::kThree;
using test::kTwo;

struct LargeConnections : testing::Test {
  static constexpr std::size_t kLarge = kLargeBytes;
  Evictions evictions;
  ConnectionTracker tracker{{.connections = 8,
                             .bytes = 4 * kLarge,
                             .large_bytes = 3 * kLarge,
                             .handshakes = 3,
                             .upload_time = std::chrono::hours(1)},
                            evictions};
};

TEST_F(LargeConnections, LeaveSomeMemoryToOthers) {
  FakeConnection first(tracker, kOne), second(tracker, kOne), small(tracker, kOne);
  ASSERT_TRUE(first.reserve_bytes(2 * kLarge));
  EXPECT_FALSE(second.reserve_bytes(kLarge + 1));
  EXPECT_TRUE(small.reserve_bytes(kLarge));
  EXPECT_TRUE(second.reserve_bytes(kLarge));
  EXPECT_FALSE(second.reserve_bytes(1)) << "it would be large";
  EXPECT_FALSE(first.is_evicted || second.is_evicted || small.is_evicted);
}

TEST_F(LargeConnections, HaveTheirPartBesideSmallOnes) {
  FakeConnection small(tracker, kOne), large(tracker, kTwo);
  ASSERT_TRUE(small.reserve_bytes(kLarge));
  EXPECT_TRUE(large.reserve_bytes(3 * kLarge));
  EXPECT_FALSE(large.reserve_bytes(1)) << "the rest is for small ones";
  EXPECT_FALSE(small.is_evicted);
  large.release_bytes(3 * kLarge);
  FakeConnection other(tracker, kThree);
  EXPECT_TRUE(other.reserve_bytes(3 * kLarge)) << "nothing is left of the first";
}

TEST_F(LargeConnections, ReclaimMemoryOfTheSourceThatHoldsMostBeforeAnOlderRequest) {
  FakeConnection old(tracker, kOne), first(tracker, kTwo), second(tracker, kTwo),
      third(tracker, kThree), asking(tracker, kThree);
  ASSERT_TRUE(old.reserve_bytes(kLarge / 4));
  ASSERT_TRUE(first.reserve_bytes(kLarge));
  ASSERT_TRUE(second.reserve_bytes(kLarge));
  ASSERT_TRUE(third.reserve_bytes(kLarge));
  EXPECT_TRUE(asking.reserve_bytes(kLarge));
  EXPECT_TRUE(first.is_evicted);
  EXPECT_FALSE(old.is_evicted || second.is_evicted || third.is_evicted);
}

TEST_F(LargeConnections, DoNotTakeTheMemoryOfSmallOnesForTheirPart) {
  FakeConnection small(tracker, kOne), beside(tracker, kOne), large(tracker, kTwo),
      asking(tracker, kThree);
  ASSERT_TRUE(small.reserve_bytes(kLarge));
  ASSERT_TRUE(beside.reserve_bytes(1));
  ASSERT_TRUE(large.reserve_bytes(kLarge + 1));
  EXPECT_FALSE(asking.reserve_bytes(2 * kLarge)) << "the large one has only just begun";
  EXPECT_FALSE(small.is_evicted || beside.is_evicted || large.is_evicted);
}

TEST_F(LargeConnections, TakeNoMemoryOfSmallOnesInVain) {
  FakeConnection first(tracker, kOne), second(tracker, kOne), third(tracker, kOne),
      large(tracker, kTwo), asking(tracker, kThree);
  for (FakeConnection* const small : {&first, &second, &third}) {
    ASSERT_TRUE(small->reserve_bytes(3 * kLarge / 4));
  }
  ASSERT_TRUE(large.reserve_bytes(kLarge + kLarge / 2));
  EXPECT_FALSE(asking.reserve_bytes(kLarge + kLarge / 2 + 1)) << "too many large ones";
  EXPECT_FALSE(first.is_evicted || second.is_evicted || third.is_evicted || large.is_evicted);
}

TEST_F(LargeConnections, TakeNoMemoryOfOthersInPlaceOfTheSmallOnesOfTheirSource) {
  FakeConnection first(tracker, kOne), second(tracker, kOne), third(tracker, kOne),
      fourth(tracker, kOne), large(tracker, kOne), two(tracker, kTwo), three(tracker, kThree);
  for (FakeConnection* const own : {&first, &second, &third, &fourth}) {
    ASSERT_TRUE(own->reserve_bytes(3 * kLarge / 4));
  }
  ASSERT_TRUE(two.reserve_bytes(kLarge / 8));
  ASSERT_TRUE(three.reserve_bytes(kLarge / 8));
  EXPECT_FALSE(large.reserve_bytes(2 * kLarge));
  EXPECT_TRUE(large.waits_for_own_source());
  EXPECT_FALSE(two.is_evicted || three.is_evicted || first.is_evicted);
  FakeConnection other(tracker, kTwo);
  EXPECT_TRUE(other.reserve_bytes(2 * kLarge));
  EXPECT_TRUE(first.is_evicted);
  EXPECT_FALSE(two.is_evicted || three.is_evicted);
}

TEST_F(LargeConnections, TakeNothingIfThatIsNotEnough) {
  FakeConnection small(tracker, kOne), waiting(tracker, kTwo), large(tracker, kThree);
  ASSERT_TRUE(small.reserve_bytes(kLarge / 2));
  ASSERT_TRUE(waiting.reserve_bytes(kLarge));
  waiting.set_evictable(false);
  FakeConnection beside(tracker, kThree);
  ASSERT_TRUE(beside.reserve_bytes(kLarge / 8));
  EXPECT_FALSE(large.reserve_bytes(3 * kLarge));
  EXPECT_FALSE(small.is_evicted);
  EXPECT_FALSE(large.waits_for_own_source());
}

TEST_F(LargeConnections, WaitForLargeOnesOfTheirSource) {
  FakeConnection large(tracker, kOne), second(tracker, kOne);
  EXPECT_FALSE(second.waits_for_own_source());
  ASSERT_TRUE(large.reserve_bytes(kLarge + 1));
  EXPECT_TRUE(second.waits_for_own_source());
}

TEST_F(LargeConnections, KeepTheirMemoryForTheirUploadTime) {
  FakeConnection large(tracker, kOne), other(tracker, kTwo);
  ASSERT_TRUE(large.reserve_bytes(2 * kLarge));
  EXPECT_FALSE(other.reserve_bytes(2 * kLarge));
  EXPECT_FALSE(large.is_evicted);
}

TEST_F(LargeConnections, TakeTheMemoryOfASourceWithManySmallRequestsOnly) {
  FakeConnection small(tracker, kOne), first(tracker, kThree), second(tracker, kThree),
      large(tracker, kTwo);
  ASSERT_TRUE(small.reserve_bytes(kLarge / 2));
  ASSERT_TRUE(first.reserve_bytes(kLarge));
  ASSERT_TRUE(second.reserve_bytes(kLarge));
  ASSERT_TRUE(large.reserve_bytes(kLarge + kLarge / 2));
  EXPECT_FALSE(first.is_evicted) << "all have memory";
  EXPECT_TRUE(large.reserve_bytes(kLarge));
  EXPECT_TRUE(first.is_evicted);
  EXPECT_FALSE(small.is_evicted || second.is_evicted);
}

TEST_F(LargeConnections, TakeTheMemoryOfSmallOnesBeyondTheirPartFromTheOldest) {
  std::vector<std::unique_ptr<FakeConnection>> small;
  for (int i = 0; i < 6; ++i) {
    small.push_back(
        std::make_unique<FakeConnection>(tracker, ("10.1.0." + std::to_string(i)).c_str()));
    ASSERT_TRUE(small.back()->reserve_bytes(kLarge / 2));
  }
  FakeConnection large(tracker, kTwo);
  EXPECT_TRUE(large.reserve_bytes(3 * kLarge)) << "the largest request always fits";
  for (std::size_t i = 0; i < small.size(); ++i) EXPECT_EQ(small[i]->is_evicted, i < 4) << i;
  EXPECT_FALSE(large.reserve_bytes(1)) << "the rest is for small ones";
}

TEST_F(LargeConnections, DoNotYieldToSmallOnes) {
  FakeConnection large(tracker, kOne), beside(tracker, kOne), first(tracker, kTwo),
      second(tracker, kThree), asking(tracker, "10.0.0.4");
  ASSERT_TRUE(large.reserve_bytes(2 * kLarge));
  ASSERT_TRUE(beside.reserve_bytes(1));
  ASSERT_TRUE(first.reserve_bytes(kLarge));
  ASSERT_TRUE(second.reserve_bytes(kLarge / 2));
  EXPECT_TRUE(asking.reserve_bytes(kLarge));
  EXPECT_FALSE(large.is_evicted) << "small ones have more than their part, though its source has "
                                    "two requests and more than half of the memory";
  EXPECT_TRUE(first.is_evicted);
}

TEST_F(LargeConnections, LeaveTheirSourceItsPartOfWhatIsForSmallOnes) {
  FakeConnection large(tracker, kOne), first(tracker, kTwo), second(tracker, kThree),
      asking(tracker, kOne);
  ASSERT_TRUE(large.reserve_bytes(3 * kLarge));
  ASSERT_TRUE(first.reserve_bytes(kLarge / 2));
  ASSERT_TRUE(second.reserve_bytes(kLarge / 2));
  EXPECT_TRUE(asking.reserve_bytes(kLarge / 2));
  EXPECT_TRUE(first.is_evicted);
  EXPECT_FALSE(large.is_evicted || second.is_evicted);
}

TEST_F(LargeConnections, LeaveSmallOnesOfAllSourcesTheRest) {
  FakeConnection large(tracker, kOne), other(tracker, kTwo), first(tracker, kThree),
      second(tracker, kThree);
  ASSERT_TRUE(large.reserve_bytes(2 * kLarge));
  ASSERT_TRUE(other.reserve_bytes(kLarge / 2));
  ASSERT_TRUE(first.reserve_bytes(3 * kLarge / 4));
  ASSERT_TRUE(second.reserve_bytes(3 * kLarge / 4));
  EXPECT_FALSE(second.reserve_bytes(1)) << "its source has more than half of the rest";
  EXPECT_TRUE(other.reserve_bytes(kLarge / 4));
  EXPECT_TRUE(first.is_evicted);
  EXPECT_FALSE(large.is_evicted || other.is_evicted || second.is_evicted);
}

}  // namespace
}  // namespace winadmit::server
