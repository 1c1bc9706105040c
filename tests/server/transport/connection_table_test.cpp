// What connections hold, and which one ends when something is short.
#include "server/transport/connection_table.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/server/transport/test_row.hpp"

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;
using test::kOne;
using test::kThree;
using test::kTwo;
using test::TestRow;

constexpr std::size_t kLarge = kLargeBytes;

struct ConnectionTableTest : testing::Test {
  ConnectionTableTest() { now = Clock::time_point(); }

  /// Each is a millisecond older than the next one.
  std::unique_ptr<TestRow> add(const char* source) {
    pass(1ms);
    return std::make_unique<TestRow>(table, source);
  }
  std::unique_ptr<TestRow> add_idle(const char* source) {
    auto row = add(source);
    row->rest();
    return row;
  }
  std::unique_ptr<TestRow> add_holding(const char* source, std::size_t bytes) {
    auto row = add(source);
    EXPECT_TRUE(row->reserve(bytes));
    return row;
  }
  static void pass(Clock::duration time) { now += time; }

  static inline Clock::time_point now;
  Evictions evictions;
  ConnectionTable table{
      {.connections = 8, .bytes = 4 * kLarge, .large_bytes = 3 * kLarge, .handshakes = 3},
      evictions,
      [] { return now; }};
};

using Places = ConnectionTableTest;

TEST_F(Places, AreFullAtTheLimit) {
  std::vector<std::unique_ptr<TestRow>> all;
  for (int i = 0; i < 8; ++i) {
    EXPECT_FALSE(table.is_full());
    all.push_back(add(kOne));
  }
  EXPECT_TRUE(table.is_full());
  table.end_one();
  EXPECT_FALSE(table.is_full());
  EXPECT_EQ(all[0]->ended_for, "connections");
  EXPECT_EQ(evictions.for_connections.value(), 1U);
  all.clear();
  table.end_one();  // there is none
  EXPECT_EQ(evictions.for_connections.value(), 1U);
}

TEST_F(Places, AreTakenFromTheOneInTheMiddleOfSomethingForLongest) {
  const auto idle = add_idle(kOne), first = add(kOne), second = add(kTwo);
  pass(1s);
  const auto young = add(kThree);
  first->begin();
  table.end_one();
  EXPECT_TRUE(second->is_ended());
  EXPECT_FALSE(idle->is_ended() || first->is_ended() || young->is_ended());
}

TEST_F(Places, AreTakenFromTheLongestIdleBeforeOneThatHasJustBegunSomething) {
  const auto first = add_idle(kOne), second = add_idle(kTwo), young = add(kThree);
  first->end_rest();
  first->rest();
  table.end_one();
  EXPECT_TRUE(second->is_ended());
  table.end_one();
  EXPECT_TRUE(first->is_ended());
  table.end_one();
  EXPECT_TRUE(young->is_ended());
}

TEST_F(Places, AreTakenFromThePartyWithMostIfThatIsMoreThanAQuarter) {
  const auto old = add_idle(kOne), a = add_idle(kTwo), b = add_idle(kTwo), c = add_idle(kTwo);
  table.end_one();
  EXPECT_TRUE(a->is_ended()) << "three of eight places";
  table.end_one();
  EXPECT_TRUE(old->is_ended()) << "two are a fair share";
  EXPECT_FALSE(b->is_ended() || c->is_ended());
}

TEST_F(Places, OfTheTrustedAreTakenOnlyIfTheyHaveMoreThanHalf) {
  std::vector<std::unique_ptr<TestRow>> trusted;
  for (int i = 0; i < 4; ++i) {
    trusted.push_back(add_idle(kOne));
    trusted.back()->trust();
  }
  const auto other = add_idle(kOne);
  table.end_one();
  EXPECT_TRUE(other->is_ended());
  trusted.push_back(add_idle(kOne));
  trusted.back()->trust();
  const auto another = add_idle(kTwo);
  table.end_one();
  EXPECT_TRUE(trusted[0]->is_ended());
  EXPECT_FALSE(another->is_ended());
}

TEST_F(Places, AreReleasedWithAllElse) {
  {
    const auto row = add_holding(kOne, 60);
    ASSERT_TRUE(row->begin_handshake());
    row->trust();
    EXPECT_EQ(table.size(), 1U);
    EXPECT_EQ(table.bytes(), 60U);
    EXPECT_EQ(table.handshakes(), 1U);
    row->leave();
    EXPECT_FALSE(row->reserve(1));
    EXPECT_FALSE(row->begin_handshake());
  }
  EXPECT_EQ(table.size(), 0U);
  EXPECT_EQ(table.bytes(), 0U);
  EXPECT_EQ(table.handshakes(), 0U);
}

using Handshakes = ConnectionTableTest;

TEST_F(Handshakes, TakeThePlaceOfASlowOneOfAnotherParty) {
  const auto a = add(kOne), b = add(kOne), c = add(kTwo), asking = add(kThree);
  for (const auto& each : {a.get(), b.get(), c.get()}) ASSERT_TRUE(each->begin_handshake());
  EXPECT_FALSE(asking->begin_handshake());
  pass(100ms);
  EXPECT_TRUE(asking->begin_handshake());
  EXPECT_EQ(a->ended_for, "handshakes");
  EXPECT_EQ(evictions.for_handshakes.value(), 1U);
  b->end_handshake();
  EXPECT_TRUE(add(kOne)->begin_handshake());
}

TEST_F(Handshakes, TakeThePlaceOfOneOfTheirOwnPartyAfterHalfASecond) {
  const auto a = add(kOne), b = add(kOne), c = add(kOne), asking = add(kOne);
  for (const auto& each : {a.get(), b.get(), c.get()}) ASSERT_TRUE(each->begin_handshake());
  pass(499ms);
  EXPECT_FALSE(asking->begin_handshake());
  pass(1ms);
  EXPECT_TRUE(asking->begin_handshake());
  EXPECT_TRUE(a->is_ended());
}

using Memory = ConnectionTableTest;

TEST_F(Memory, IsTakenFromThePartyWithMost) {
  const auto small = add_holding(kTwo, kLarge / 2), first = add_holding(kOne, kLarge),
             second = add_holding(kOne, kLarge), third = add_holding(kOne, kLarge);
  EXPECT_TRUE(small->reserve(kLarge / 2));
  EXPECT_FALSE(first->is_ended()) << "there is enough";
  const auto asking = add(kThree);
  EXPECT_TRUE(asking->reserve(kLarge));
  EXPECT_EQ(first->ended_for, "memory");
  EXPECT_FALSE(small->is_ended() || second->is_ended() || third->is_ended());
  EXPECT_EQ(evictions.for_memory.value(), 1U);
}

TEST_F(Memory, IsTakenFromTheLongestInTheMiddleIfNoPartyHasMoreThanAQuarter) {
  const auto a = add_holding(kOne, kLarge), b = add_holding(kTwo, kLarge),
             c = add_holding(kThree, kLarge), d = add_holding("10.0.0.4", kLarge);
  a->begin();
  EXPECT_TRUE(add("10.0.0.5")->reserve(kLarge));
  EXPECT_TRUE(b->is_ended());
  EXPECT_FALSE(a->is_ended() || c->is_ended() || d->is_ended());
}

TEST_F(Memory, IsTakenFromTheOwnPartyAfterHalfASecond) {
  const auto first = add_holding(kOne, kLarge), second = add_holding(kOne, kLarge),
             third = add_holding(kOne, kLarge), other = add_holding(kTwo, kLarge);
  const auto asking = add(kOne);
  EXPECT_FALSE(asking->reserve(1)) << "the newest would end what is nearly complete";
  pass(kLarge * 1ns + 500ms);
  EXPECT_TRUE(asking->reserve(1));
  EXPECT_TRUE(first->is_ended());
  EXPECT_TRUE(second->reserve(kLarge - 1)) << "of its own, if it has waited for longest itself";
  EXPECT_FALSE(second->is_ended() || third->is_ended() || other->is_ended());
}

TEST_F(Memory, OfTheTrustedOfAnAddressIsNoneOfTheOthersOfIt) {
  const auto trusted = add_holding(kOne, kLarge);
  trusted->trust();
  pass(1s);
  const auto first = add_holding(kOne, kLarge), second = add_holding(kOne, kLarge),
             third = add_holding(kOne, kLarge);
  EXPECT_FALSE(add(kOne)->reserve(1));
  EXPECT_FALSE(trusted->is_ended());
  const auto also_trusted = add(kOne);
  also_trusted->trust();
  EXPECT_TRUE(also_trusted->reserve(kLarge)) << "although the others have only just begun";
  EXPECT_TRUE(first->is_ended());
  EXPECT_FALSE(trusted->is_ended() || second->is_ended() || third->is_ended());
}

TEST_F(Memory, IsNotTakenFromOneThatAnotherThreadReads) {
  const auto pinned = add_holding(kOne, 2 * kLarge), other = add_holding(kOne, kLarge);
  pinned->pin(true);
  pass(1s);
  EXPECT_FALSE(add(kTwo)->reserve(2 * kLarge + 1));
  pinned->pin(false);
  EXPECT_TRUE(add(kTwo)->reserve(2 * kLarge + 1));
  EXPECT_TRUE(pinned->is_ended());
}

using LargeMemory = ConnectionTableTest;

TEST_F(LargeMemory, LeavesSomeToSmallOnes) {
  const auto first = add_holding(kOne, 2 * kLarge), second = add(kOne), small = add(kOne);
  EXPECT_FALSE(second->reserve(kLarge + 1));
  EXPECT_TRUE(small->reserve(kLarge));
  EXPECT_TRUE(second->reserve(kLarge));
  EXPECT_FALSE(second->reserve(1)) << "it would be large";
  EXPECT_FALSE(first->is_ended() || second->is_ended() || small->is_ended());
}

TEST_F(LargeMemory, IsTakenFromOthersAfterTheTimeOfAnUpload) {
  const auto large = add_holding(kOne, 2 * kLarge), asking = add(kTwo);
  EXPECT_FALSE(asking->reserve(2 * kLarge));
  EXPECT_FALSE(large->is_ended());
  pass(500ms);
  EXPECT_TRUE(asking->reserve(2 * kLarge));
  EXPECT_TRUE(large->is_ended());
}

TEST_F(LargeMemory, IsKeptForTheTimeOfAnUploadHoweverLongItsRequestHasWaitedForIt) {
  const auto large = add(kOne), asking = add(kTwo);
  pass(1s);
  ASSERT_TRUE(large->reserve(2 * kLarge));
  EXPECT_FALSE(asking->reserve(2 * kLarge));
}

TEST_F(LargeMemory, IsNeverTakenFromTheOwnParty) {
  const auto large = add_holding(kOne, 2 * kLarge), asking = add(kOne);
  pass(5s);
  EXPECT_FALSE(asking->reserve(2 * kLarge));
  EXPECT_FALSE(large->is_ended());
}

TEST_F(LargeMemory, IsNotTakenForSmallOnes) {
  const auto large = add_holding(kOne, 3 * kLarge);
  pass(1s);
  const auto first = add_holding(kTwo, kLarge / 2), second = add_holding(kThree, kLarge / 2);
  EXPECT_TRUE(add("10.0.0.4")->reserve(kLarge / 2));
  EXPECT_TRUE(first->is_ended());
  EXPECT_FALSE(large->is_ended() || second->is_ended());
}

TEST_F(LargeMemory, IsTakenFromSmallOnesBeyondTheirPart) {
  std::vector<std::unique_ptr<TestRow>> small;
  for (int i = 0; i < 6; ++i)
    small.push_back(add_holding(("10.1.0." + std::to_string(i)).c_str(), kLarge / 2));
  const auto large = add(kTwo);
  EXPECT_TRUE(large->reserve(3 * kLarge)) << "the largest request always fits";
  for (std::size_t i = 0; i < small.size(); ++i) EXPECT_EQ(small[i]->is_ended(), i < 4) << i;
  EXPECT_FALSE(large->reserve(1)) << "the rest is for small ones";
}

TEST_F(LargeMemory, IsNotTakenFromSmallOnesOfOthersInPlaceOfThoseOfTheOwnParty) {
  const auto first = add_holding(kOne, kLarge), second = add_holding(kOne, kLarge),
             third = add_holding(kOne, kLarge), two = add_holding(kTwo, kLarge / 8),
             large = add(kOne);
  EXPECT_FALSE(large->reserve(2 * kLarge));
  EXPECT_FALSE(two->is_ended() || first->is_ended());
  EXPECT_TRUE(add(kTwo)->reserve(2 * kLarge));
  EXPECT_TRUE(first->is_ended());
  EXPECT_FALSE(two->is_ended());
}

TEST_F(LargeMemory, IsGivenToThePartiesInTurn) {
  const auto first = add(kOne), second = add(kOne), other = add(kTwo);
  for (const auto& each : {first.get(), second.get(), other.get()}) {
    pass(1ms);
    each->wait_for_large_turn();
  }
  EXPECT_TRUE(first->has_large_turn());
  EXPECT_FALSE(second->has_large_turn() || other->has_large_turn());
  first->end_large_turn(true);
  EXPECT_TRUE(other->has_large_turn());
  EXPECT_FALSE(second->has_large_turn());
  other->end_large_turn(true);
  EXPECT_TRUE(second->has_large_turn());
}

TEST_F(LargeMemory, IsNotKeptFromOthersByOneThatWaitsForItsOwnParty) {
  const auto holding = add_holding(kOne, kLarge + 1);
  const auto waiting = add(kOne), other = add(kTwo);
  waiting->wait_for_large_turn();
  pass(1ms);
  other->wait_for_large_turn();
  EXPECT_TRUE(waiting->has_large_turn() && other->has_large_turn());
  waiting->end_large_turn(false);
  EXPECT_TRUE(other->has_large_turn());
}

TEST_F(LargeMemory, IsForTheNextIfOneThatWaitsForItEnds) {
  const auto first = add(kOne), other = add(kTwo);
  first->wait_for_large_turn();
  pass(1ms);
  other->wait_for_large_turn();
  first->leave();
  first->end_large_turn(false);
  EXPECT_TRUE(other->has_large_turn());
}

}  // namespace
}  // namespace winadmit::server
