#include "server/transport/memory_queue.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <chrono>
#include <string>

#include "tests/server/transport/test_worker.hpp"

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;

class MemoryQueueTest : public testing::Test {
 protected:
  /// A request that is named by one digit, like its source, waits for so much memory.
  void wait(char source, int needed = 1, Clock::duration timeout = 1h) {
    asio::co_spawn(
        loop_,
        queue_.wait(asio::ip::make_address(std::string("::") + source), Clock::now() + timeout,
                    [this, source, needed] {
                      if (free_ < needed)
                        return source == waits_for_own_ ? MemoryQueue::Outcome::waits_for_own
                                                        : MemoryQueue::Outcome::waits;
                      free_ -= needed;
                      served_ += source;
                      return MemoryQueue::Outcome::ended;
                    }),
        [this, source](const std::exception_ptr&, bool is_served) {
          (is_served ? ended_ : refused_) += source;
        });
    loop_.restart();
    loop_.poll();
  }

  /// Gives memory for `count` requests, for one after the other, and returns their names.
  std::string give(int count) {
    served_.clear();
    for (int given = 0; given < count; ++given) {
      ++free_;
      const std::size_t ended = ended_.size() + 1;
      EXPECT_TRUE(test::run_until(loop_, [&] { return ended_.size() == ended; }));
    }
    return served_;
  }

  int free_ = 0;
  char waits_for_own_ = 0;
  std::string served_, ended_, refused_;
  asio::io_context loop_{1};
  MemoryQueue queue_{loop_, 8};
};

TEST_F(MemoryQueueTest, ServesARequestAtOnceIfThereIsMemory) {
  free_ = 2;
  wait('1');
  wait('2');
  EXPECT_EQ(ended_, "12");
}

TEST_F(MemoryQueueTest, ServesTheSourcesInTurn) {
  for (const char source : {'1', '1', '1', '2'}) wait(source);
  EXPECT_EQ(give(2), "12");
  wait('3');
  EXPECT_EQ(give(3), "311");
}

TEST_F(MemoryQueueTest, LetsNoNewRequestOvertake) {
  wait('1');
  ++free_;
  wait('2');
  EXPECT_EQ(served_, "1");
  EXPECT_TRUE(test::run_until(loop_, [&] { return !ended_.empty(); }));
  EXPECT_EQ(ended_, "1");
}

TEST_F(MemoryQueueTest, LetsNoSmallerRequestOvertake) {
  wait('1', 2);
  wait('2');
  ++free_;
  wait('3');
  EXPECT_EQ(served_, "");
  EXPECT_EQ(give(1), "1");
  EXPECT_EQ(give(2), "23");
}

TEST_F(MemoryQueueTest, LetsOtherSourcesPassARequestThatWaitsForItsOwn) {
  waits_for_own_ = '1';
  wait('1', 2);
  wait('1');
  wait('2');
  wait('3', 2);
  wait('4');
  EXPECT_EQ(give(1), "2");
  ++free_;
  EXPECT_EQ(give(1), "1");
}

TEST_F(MemoryQueueTest, RefusesAtTheDeadlineAndGoesOn) {
  wait('1', 1, 20ms);
  wait('2');
  wait('3', 1, 20ms);
  EXPECT_TRUE(test::run_until(loop_, [&] { return refused_.size() == 2; }));
  EXPECT_EQ(give(1), "2");
}

TEST_F(MemoryQueueTest, HasRoomForOthersThanRequestsThatAreLate) {
  wait('1', 2);
  for (const char source : {'2', '3', '4', '5', '6', '7', '8'}) wait(source, 1, -1ms);
  EXPECT_EQ(refused_, "2345678");
  wait('9');
  EXPECT_EQ(refused_, "2345678");
  ++free_;
  EXPECT_EQ(give(2), "19");
}

TEST_F(MemoryQueueTest, HasRoomAgainWhenRequestsAreLate) {
  for (int i = 0; i < 20; ++i) wait('1', 1, -1ms);
  EXPECT_EQ(refused_, std::string(20, '1'));
  free_ = 1;
  wait('2');
  EXPECT_EQ(ended_, "2");
  for (const char source : {'1', '2', '3', '4', '5', '6', '7', '8'}) wait(source);
  EXPECT_EQ(refused_.size(), 20U);
}

TEST_F(MemoryQueueTest, RefusesTheLastRequestOfTheSourceWithMostIfTooManyWait) {
  for (const char source : {'1', '1', '1', '1', '2', '2', '3', '3'}) wait(source);
  EXPECT_EQ(refused_, "");
  wait('4');
  EXPECT_TRUE(test::run_until(loop_, [&] { return !refused_.empty(); }));
  EXPECT_EQ(refused_, "1");
  EXPECT_EQ(give(4), "1234");
}

TEST_F(MemoryQueueTest, RefusesARequestIfAllOthersHaveTheirTurnBefore) {
  for (const char source : {'1', '2', '3', '4', '5', '6', '7', '8', '9'}) wait(source);
  EXPECT_EQ(refused_, "9");
}

}  // namespace
}  // namespace winadmit::server
