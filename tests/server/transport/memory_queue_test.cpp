#include "server/transport/memory_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <list>
#include <string>

namespace winadmit::server {
namespace {

using Place = MemoryQueue::Place;

class MemoryQueueTest : public testing::Test {
 protected:
  /// A request that is named by one digit, like its source.
  struct Waiting {
    Waiting(MemoryQueue& queue, char its_source)
        : source(its_source),
          place(queue, boost::asio::ip::make_address(std::string("::") + its_source)) {}
    char source;
    Place place;
  };

  Place& wait(char source) { return waiting_.emplace_back(queue_, source).place; }

  /// The names of those that may try now, by their arrival.
  std::string with_turn() {
    std::string names;
    for (Waiting& each : waiting_) {
      if (each.place.take_turn()) names += each.source;
    }
    return names;
  }

  std::string refused() const {
    std::string names;
    for (const Waiting& each : waiting_) {
      if (each.place.is_refused()) names += each.source;
    }
    return names;
  }

  /// Removes, `count` times, the first one that may try. Returns their names.
  std::string serve(int count) {
    std::string names;
    for (int i = 0; i < count; ++i) {
      const auto next =
          std::ranges::find_if(waiting_, [](Waiting& each) { return each.place.take_turn(); });
      if (next == waiting_.end()) break;
      names += next->source;
      waiting_.erase(next);
    }
    return names;
  }

  void wait_for_each(const std::string& sources) {
    for (const char source : sources) wait(source);
  }

 private:
  MemoryQueue queue_{8};

 protected:
  std::list<Waiting> waiting_;
};

TEST_F(MemoryQueueTest, ServesTheSourcesInTurn) {
  wait_for_each("1112");
  EXPECT_EQ(serve(2), "12");
  wait('3');
  EXPECT_EQ(serve(3), "311");
}

TEST_F(MemoryQueueTest, LetsNoneOfAnotherSourcePassOneThatWaitsForOthers) {
  wait_for_each("123");
  EXPECT_EQ(with_turn(), "1");
}

TEST_F(MemoryQueueTest, LetsNonePassOneThatHasYetToTry) {
  wait('1').set_waits_for_own_source(true);
  wait('2');
  wait('3');
  EXPECT_EQ(with_turn(), "12");
}

TEST_F(MemoryQueueTest, LetsOtherSourcesPassThoseThatWaitForTheirOwn) {
  wait('1').set_waits_for_own_source(true);
  wait('1');
  wait('2').set_waits_for_own_source(true);
  wait_for_each("34");
  EXPECT_EQ(with_turn(), "123");
}

TEST_F(MemoryQueueTest, ASourceWhoseRequestHadItsTurnInVainWaitsForOthers) {
  wait_for_each("12");
  EXPECT_EQ(with_turn(), "1");
  waiting_.pop_front();
  wait('1');
  wait('3');
  EXPECT_EQ(serve(3), "231");
}

TEST_F(MemoryQueueTest, ASourceWhoseRequestLeavesBeforeItsTurnKeepsThat) {
  wait_for_each("12");
  waiting_.pop_back();
  wait_for_each("32");
  EXPECT_EQ(serve(3), "132");
}

TEST_F(MemoryQueueTest, RefusesTheLastRequestOfTheSourceWithMostIfTooManyWait) {
  wait_for_each("11112233");
  EXPECT_EQ(refused(), "");
  wait('4');
  EXPECT_EQ(refused(), "1");
  EXPECT_EQ(serve(8), "12341231");
}

TEST_F(MemoryQueueTest, RefusesARequestIfAllOthersHaveTheirTurnBefore) {
  wait_for_each("123456789");
  EXPECT_EQ(refused(), "9");
  EXPECT_FALSE(waiting_.back().place.take_turn());
}

TEST_F(MemoryQueueTest, HasRoomAgainWhenRequestsHaveLeft) {
  wait_for_each("12345678");
  waiting_.pop_back();
  wait('9');
  EXPECT_EQ(refused(), "");
}

}  // namespace
}  // namespace winadmit::server
