#include "server/transport/fair_queue.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace winadmit::server {
namespace {

class FairQueueTest : public testing::Test {
 protected:
  /// Pushes a job of each source, which are named by one digit.
  void push(std::string_view sources) {
    for (const char source : sources) {
      queue_.push(asio::ip::make_address(std::string("::") + source),
                  [this, source] { done_ += source; });
    }
  }

  /// The sources of the next jobs.
  std::string pop(int count) {
    done_.clear();
    for (int i = 0; i < count; ++i) queue_.pop()();
    return done_;
  }

 private:
  FairQueue queue_;
  std::string done_;
};

TEST_F(FairQueueTest, ServesTheSourcesInTurn) {
  push("1111223");
  EXPECT_EQ(pop(7), "1231211");
}

TEST_F(FairQueueTest, KeepsTheOrderOfASource) {
  std::string done;
  FairQueue queue;
  for (const char job : {'a', 'b', 'c'}) queue.push({}, [&done, job] { done += job; });
  for (int i = 0; i < 3; ++i) queue.pop()();
  EXPECT_EQ(done, "abc");
}

TEST_F(FairQueueTest, ServesANewSourceBeforeASecondJobOfAnother) {
  push("1111");
  EXPECT_EQ(pop(2), "11");
  push("2");
  EXPECT_EQ(pop(3), "211");
}

}  // namespace
}  // namespace winadmit::server
