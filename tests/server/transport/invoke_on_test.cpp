// Calls on another thread.
#include "server/transport/invoke_on.hpp"

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/thread_pool.hpp>
#include <memory>
#include <stdexcept>
#include <thread>

namespace winadmit::server {
namespace {

struct InvokeOn : testing::Test {
  void run(Task<void> task) {
    asio::co_spawn(loop, std::move(task),
                   [this](std::exception_ptr thrown) { exception = thrown; });
    loop.run();
  }
  asio::io_context loop;
  asio::thread_pool other{1};
  std::exception_ptr exception;
};

TEST_F(InvokeOn, CallsOnTheOtherThreadAndResumesOnItsOwn) {
  std::thread::id called_on, resumed_on;
  std::unique_ptr<int> result;
  run([&]() -> Task<void> {
    result = co_await invoke_on(other.get_executor(), [&] {
      called_on = std::this_thread::get_id();
      return std::make_unique<int>(7);
    });
    resumed_on = std::this_thread::get_id();
  }());
  EXPECT_FALSE(exception);
  EXPECT_EQ(*result, 7);
  EXPECT_NE(called_on, std::this_thread::get_id());
  EXPECT_EQ(resumed_on, std::this_thread::get_id());
}

TEST_F(InvokeOn, PassesAnExceptionToTheCaller) {
  run([&]() -> Task<void> {
    co_await invoke_on(other.get_executor(), []() -> int { throw std::runtime_error("failed"); });
    ADD_FAILURE() << "no exception";
  }());
  ASSERT_TRUE(exception);
  EXPECT_THROW(std::rethrow_exception(exception), std::runtime_error);
}

}  // namespace
}  // namespace winadmit::server
