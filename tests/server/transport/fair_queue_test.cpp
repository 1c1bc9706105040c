#include "server/transport/fair_queue.hpp"

#include <gtest/gtest.h>

#include <boost/asio/ip/address.hpp>
#include <functional>
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

TEST_F(FairQueueTest, RemovesWhatIsServedInOrder) {
  FairQueue<int> queue;
  for (const int entry : {1, 2, 3}) queue.push(boost::asio::ip::make_address("::1"), entry);
  queue.push(boost::asio::ip::make_address("::2"), 4);
  std::string visited;
  queue.serve([&visited](int entry) {
    visited += std::to_string(entry);
    return entry == 1 || entry == 2;
  });
  EXPECT_EQ(visited, "1423");
  EXPECT_EQ(queue.size(), 2U);
  EXPECT_EQ(queue.pop_back(), 3);
  EXPECT_EQ(queue.front(), 4);
}

}  // namespace
}  // namespace winadmit::server
