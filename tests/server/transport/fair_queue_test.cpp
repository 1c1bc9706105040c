#include "server/transport/fair_queue.hpp"

#include <gtest/gtest.h>

#include <boost/asio/ip/address.hpp>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>

namespace winadmit::server {
namespace {

using Job = std::function<void()>;

class FairQueueTest : public testing::Test {
 protected:
  /// Pushes a job of each source, which are named by one digit.
  void push(std::string_view sources) {
    for (const char source : sources) {
      queue_.push(boost::asio::ip::make_address(std::string("::") + source),
                  [this, source] { done_ += source; });
    }
  }

  /// The sources of the next jobs.
  std::string pop(int count) {
    done_.clear();
    for (int i = 0; i < count; ++i) queue_.pop_front()();
    return done_;
  }

 private:
  FairQueue<Job> queue_;
  std::string done_;
};

TEST_F(FairQueueTest, ServesTheSourcesInTurn) {
  push("1111223");
  EXPECT_EQ(pop(7), "1231211");
}

TEST_F(FairQueueTest, KeepsTheOrderOfASource) {
  std::string done;
  FairQueue<Job> queue;
  for (const char job : {'a', 'b', 'c'}) queue.push({}, [&done, job] { done += job; });
  for (int i = 0; i < 3; ++i) queue.pop_front()();
  EXPECT_EQ(done, "abc");
}

TEST_F(FairQueueTest, ServesANewSourceBeforeASecondJobOfAnother) {
  push("1111");
  EXPECT_EQ(pop(2), "11");
  push("2");
  EXPECT_EQ(pop(3), "211");
}

using Numbers = FairQueue<int>;

void push_all(Numbers& queue, const std::string& source, std::initializer_list<int> entries) {
  for (const int entry : entries) queue.push(boost::asio::ip::make_address("::" + source), entry);
}

TEST_F(FairQueueTest, VisitsTheEntriesInOrderUntilItIsToldToStop) {
  Numbers queue;
  push_all(queue, "1", {1, 2, 3});
  push_all(queue, "2", {4});
  std::string visited;
  queue.visit([&visited](const auto&, int entry) {
    visited += std::to_string(entry);
    return entry != 2;
  });
  EXPECT_EQ(visited, "142");
  EXPECT_EQ(queue.size(), 4U);
}

TEST_F(FairQueueTest, ASourceKeepsTheTurnOfWhatIsRemovedWithoutBeingServed) {
  Numbers queue;
  push_all(queue, "1", {1, 2, 3});
  EXPECT_EQ(queue.pop_back(), 3);
  queue.remove(1, false);
  queue.remove(2, false);
  push_all(queue, "2", {4, 5});
  push_all(queue, "1", {6});
  EXPECT_EQ(queue.pop_front(), 4);
  EXPECT_EQ(queue.pop_front(), 6);
  EXPECT_EQ(queue.pop_front(), 5);
}

TEST_F(FairQueueTest, ASourceThatWasServedBeforeOthersWaitsForThem) {
  Numbers queue;
  push_all(queue, "1", {1});
  push_all(queue, "2", {2});
  queue.remove(2, true);
  push_all(queue, "2", {3});
  push_all(queue, "3", {4});
  EXPECT_EQ(queue.pop_front(), 1);
  EXPECT_EQ(queue.pop_front(), 4);
  EXPECT_EQ(queue.pop_front(), 3);
}

TEST_F(FairQueueTest, RemovesNothingThatIsNotThere) {
  Numbers queue;
  push_all(queue, "1", {1});
  queue.remove(2, true);
  EXPECT_EQ(queue.size(), 1U);
}

TEST_F(FairQueueTest, RemembersAFewSourcesOnly) {
  Numbers queue;
  for (int i = 0; i < 10'000; ++i) {
    queue.push(boost::asio::ip::make_address_v4(static_cast<std::uint32_t>(i)), i);
    queue.pop_front();
  }
  EXPECT_LE(queue.remembered(), 256U);
}

}  // namespace
}  // namespace winadmit::server
