// Which connection is evicted when a thread runs short of connections, memory or handshakes.
#include "server/transport/connection_tracker.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "tests/server/transport/fake_connection.hpp"

namespace winadmit::server {
namespace {

using test::FakeConnection;
using test::kOne;
using test::kThree;
using test::kTwo;

struct ConnectionTrackerTest : testing::Test {
  std::unique_ptr<FakeConnection> add(const char* source) {
    return std::make_unique<FakeConnection>(tracker, source);
  }
  Evictions evictions;
  static constexpr ConnectionTracker::Limits kLimits{
      .connections = 8, .bytes = 100, .large_bytes = 90, .handshakes = 3};
  ConnectionTracker tracker{kLimits, evictions};
};

TEST_F(ConnectionTrackerTest, EvictsTheLeastRecentlyUsedConnection) {
  const auto a = add(kOne), b = add(kTwo), c = add(kThree), unused = add(kThree);
  for (const auto& each : {a.get(), b.get(), c.get(), a.get()}) each->mark_used();
  tracker.evict_one();
  EXPECT_TRUE(b->is_evicted);
  EXPECT_FALSE(a->is_evicted || c->is_evicted || unused->is_evicted);
  EXPECT_EQ(evictions.for_connections.value(), 1U);
}

TEST_F(ConnectionTrackerTest, EvictsTheOldestNewConnectionIfMoreThanHalfOfThePlacesAreNew) {
  const auto used = add(kOne), first = add(kOne), second = add(kTwo), third = add(kThree),
             fourth = add("10.0.0.4"), fifth = add("10.0.0.5");
  used->mark_used();
  tracker.evict_one();
  EXPECT_TRUE(first->is_evicted);
  EXPECT_FALSE(used->is_evicted || second->is_evicted);
  tracker.evict_one();
  EXPECT_TRUE(used->is_evicted) << "four of eight places are new";
}

TEST_F(ConnectionTrackerTest, EvictsFromTheSourceWithMoreThanItsFairShare) {
  const auto old = add(kOne), a = add(kTwo), b = add(kTwo), c = add(kTwo);
  for (const auto& each : {old.get(), a.get(), b.get(), c.get()}) each->mark_used();
  tracker.evict_one();
  EXPECT_TRUE(a->is_evicted) << "three of eight places";
  tracker.evict_one();
  EXPECT_TRUE(old->is_evicted) << "two are a fair share";
}

TEST_F(ConnectionTrackerTest, IsFullAtTheLimit) {
  std::vector<std::unique_ptr<FakeConnection>> all;
  for (int i = 0; i < 8; ++i) {
    EXPECT_FALSE(tracker.is_full());
    all.push_back(add(kOne));
  }
  EXPECT_TRUE(tracker.is_full());
  tracker.evict_one();
  EXPECT_FALSE(tracker.is_full());
}

TEST_F(ConnectionTrackerTest, ReleasesEverythingOfADestroyedConnection) {
  auto a = add(kOne);
  {
    const auto b = add(kOne);
    ASSERT_TRUE(b->reserve_bytes(60));
    b->begin_handshake();
    EXPECT_EQ(tracker.bytes(), 60U);
    EXPECT_EQ(a->handshakes_of_source(), 1U);
  }
  EXPECT_EQ(tracker.size(), 1U);
  EXPECT_EQ(tracker.bytes(), 0U);
  EXPECT_EQ(tracker.handshakes(), 0U);
  a.reset();
  tracker.evict_one();  // there is none
  EXPECT_EQ(evictions.for_connections.value(), 0U);
}

TEST_F(ConnectionTrackerTest, VisitsEveryConnectionWhileTheyAreDestroyed) {
  std::vector<std::unique_ptr<FakeConnection>> all;
  for (int i = 0; i < 6; ++i) all.push_back(add(kOne));
  for (std::size_t i = 0; i < 3; ++i) all[i]->mark_used();
  std::size_t visited = 0;
  tracker.for_each([&](TrackedConnection& connection) {
    ++visited;
    std::erase_if(all, [&](const auto& each) { return each.get() == &connection; });
  });
  EXPECT_EQ(visited, 6U);
  EXPECT_EQ(tracker.size(), 0U);
}

TEST_F(ConnectionTrackerTest, ReclaimsMemoryOfTheSourceWithMoreThanHalf) {
  const auto small = add(kTwo), first = add(kOne), second = add(kOne);
  ASSERT_TRUE(small->reserve_bytes(10));
  ASSERT_TRUE(first->reserve_bytes(40));
  ASSERT_TRUE(second->reserve_bytes(50));
  EXPECT_TRUE(small->reserve_bytes(20));
  EXPECT_TRUE(first->is_evicted) << "the oldest of this source";
  EXPECT_FALSE(second->is_evicted);
  EXPECT_EQ(tracker.bytes(), 80U);
  EXPECT_EQ(evictions.for_memory.value(), 1U);
}

TEST_F(ConnectionTrackerTest, ReclaimsMemoryOfTheOldestIfNoSourceHasMoreThanHalf) {
  const auto old = add(kOne), large = add(kTwo), asking = add(kThree);
  ASSERT_TRUE(old->reserve_bytes(30));
  ASSERT_TRUE(large->reserve_bytes(50));
  EXPECT_TRUE(asking->reserve_bytes(40));
  EXPECT_TRUE(old->is_evicted);
  EXPECT_FALSE(large->is_evicted);
}

TEST_F(ConnectionTrackerTest, ReclaimsMemoryForTheOnlyRequestOfASource) {
  const auto unfinished = add(kTwo), asking = add(kOne);
  ASSERT_TRUE(unfinished->reserve_bytes(30));
  ASSERT_TRUE(asking->reserve_bytes(60));
  EXPECT_TRUE(asking->reserve_bytes(30)) << "more than half, but one request always fits";
  EXPECT_TRUE(unfinished->is_evicted);
  EXPECT_EQ(tracker.bytes(), 90U);
}

TEST_F(ConnectionTrackerTest, ReclaimsMemoryOfTheSourceWithManyRequestsBeforeALargerOne) {
  const auto large = add(kOne), first = add(kTwo), second = add(kTwo), asking = add(kThree);
  ASSERT_TRUE(large->reserve_bytes(60));
  ASSERT_TRUE(first->reserve_bytes(20));
  ASSERT_TRUE(second->reserve_bytes(10));
  EXPECT_TRUE(asking->reserve_bytes(20));
  EXPECT_TRUE(large->is_evicted) << "the oldest, as no source has many requests and more than half";
  EXPECT_FALSE(first->is_evicted);
  const auto third = add(kTwo);
  ASSERT_TRUE(third->reserve_bytes(30));
  EXPECT_TRUE(asking->reserve_bytes(30));
  EXPECT_TRUE(first->is_evicted) << "its source has three requests and more than half";
  EXPECT_FALSE(second->is_evicted || third->is_evicted);
}

TEST_F(ConnectionTrackerTest, ReclaimsMemoryOfOthersBehindAnOlderRequestOfTheSameSource) {
  const auto own = add(kOne), other = add(kTwo), third = add(kThree), asking = add(kOne);
  ASSERT_TRUE(own->reserve_bytes(10));
  ASSERT_TRUE(other->reserve_bytes(40));
  ASSERT_TRUE(third->reserve_bytes(45));
  EXPECT_TRUE(asking->reserve_bytes(10));
  EXPECT_TRUE(other->is_evicted);
  EXPECT_FALSE(own->is_evicted || third->is_evicted);
}

TEST_F(ConnectionTrackerTest, ReclaimsMemoryOfHandshakesBeforeThatOfRequests) {
  const auto request = add(kOne), first = add(kTwo), second = add(kTwo), asking = add(kThree);
  ASSERT_TRUE(request->reserve_bytes(50));
  for (const auto& each : {first.get(), second.get()}) {
    each->begin_handshake();
    ASSERT_TRUE(each->reserve_bytes(20));
  }
  EXPECT_TRUE(asking->reserve_bytes(20));
  EXPECT_TRUE(first->is_evicted);
  EXPECT_TRUE(asking->reserve_bytes(30));
  EXPECT_TRUE(second->is_evicted);
  EXPECT_FALSE(request->is_evicted);
}

TEST_F(ConnectionTrackerTest, DoesNotReclaimMemoryOfTheSameSource) {
  const auto old = add(kOne), young = add(kOne), other = add(kTwo);
  ASSERT_TRUE(other->reserve_bytes(29));
  ASSERT_TRUE(old->reserve_bytes(50));
  ASSERT_TRUE(young->reserve_bytes(1));
  EXPECT_FALSE(young->reserve_bytes(21)) << "its source would have more than half";
  EXPECT_FALSE(old->reserve_bytes(21));
  EXPECT_FALSE(other->reserve_bytes(101)) << "more than the limit";
  EXPECT_FALSE(old->is_evicted || young->is_evicted || other->is_evicted);
  EXPECT_EQ(tracker.bytes(), 80U);
}

TEST_F(ConnectionTrackerTest, EvictsAnotherIfNoneOfTheLargestSourceIsEvictable) {
  const auto a = add(kOne), b = add(kOne), c = add(kOne), other = add(kTwo);
  for (const auto& each : {a.get(), b.get(), c.get()}) {
    each->mark_used();
    each->set_evictable(false);
  }
  other->mark_used();
  const auto unused = add(kTwo);
  tracker.evict_one();
  EXPECT_TRUE(other->is_evicted);
  tracker.evict_one();
  EXPECT_TRUE(unused->is_evicted);
  tracker.evict_one();  // there is none
  EXPECT_EQ(evictions.for_connections.value(), 2U);
}

TEST_F(ConnectionTrackerTest, DoesNotEvictAConnectionThatIsNotEvictable) {
  const auto handled = add(kOne), unused = add(kThree), other = add(kTwo);
  ASSERT_TRUE(handled->reserve_bytes(90));
  handled->set_evictable(false);
  EXPECT_FALSE(other->reserve_bytes(20));
  handled->mark_used();
  tracker.evict_one();
  EXPECT_TRUE(unused->is_evicted);
  EXPECT_FALSE(handled->is_evicted);
  EXPECT_EQ(tracker.bytes(), 90U) << "its memory still counts";
  handled->set_evictable(true);
  EXPECT_TRUE(other->reserve_bytes(20));
  EXPECT_TRUE(handled->is_evicted);
}

TEST_F(ConnectionTrackerTest, ReleasesTheBytesOfAnEvictedConnectionOnce) {
  const auto a = add(kOne);
  ASSERT_TRUE(a->reserve_bytes(70));
  tracker.evict_one();
  EXPECT_EQ(tracker.bytes(), 0U);
  a->release_bytes(70);
  EXPECT_EQ(tracker.bytes(), 0U);
  EXPECT_FALSE(a->reserve_bytes(1)) << "it is no longer tracked";
}

TEST_F(ConnectionTrackerTest, EvictsTheOldestHandshakeOfTheSourceWithMost) {
  const auto never = ConnectionTracker::Clock::now() - std::chrono::hours(1);
  const auto always = ConnectionTracker::Clock::now() + std::chrono::hours(1);
  const auto a = add(kThree), b = add(kOne), c = add(kOne), next = add(kOne), other = add(kTwo);
  EXPECT_TRUE(tracker.make_room_for_handshake(*next, never, never));
  for (const auto& each : {a.get(), b.get(), c.get()}) each->begin_handshake();
  EXPECT_FALSE(tracker.make_room_for_handshake(*next, always, never)) << "of its own source";
  EXPECT_FALSE(tracker.make_room_for_handshake(*other, never, always)) << "of another source";
  EXPECT_TRUE(tracker.make_room_for_handshake(*next, never, always));
  EXPECT_TRUE(b->is_evicted) << "its source has the most";
  b->end_handshake();
  EXPECT_EQ(tracker.handshakes(), 2U);
  EXPECT_EQ(evictions.for_handshakes.value(), 1U);
  next->begin_handshake();
  EXPECT_TRUE(tracker.make_room_for_handshake(*other, always, never));
  EXPECT_TRUE(c->is_evicted);
  EXPECT_FALSE(a->is_evicted);
}

}  // namespace
}  // namespace winadmit::server
