// Calls a function on another thread while the calling coroutine waits.
#pragma once

#include <boost/asio/associated_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <thread>
#include <type_traits>
#include <utility>

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// A function that another thread calls, and the coroutine that waits for it.
template <class Function, class Handler>
class Invocation : public std::enable_shared_from_this<Invocation<Function, Handler>> {
 public:
  Invocation(Function function, Handler handler)
      : function_(std::move(function)),
        handler_(std::move(handler)),
        caller_(asio::make_work_guard(asio::get_associated_executor(handler_))) {}

  /// Calls the function, and resumes the caller. Throws nothing.
  void run() {
    try {
      result_ = function_();
    } catch (...) {
      error_ = std::current_exception();
    }
    while (!post_resumption()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }

 private:
  using Result = std::invoke_result_t<Function&>;

  /// Returns false if there is no memory to post it.
  bool post_resumption() {
    try {
      asio::post(caller_.get_executor(), [self = this->shared_from_this()] {
        std::move(self->handler_)(self->error_, std::move(self->result_));
      });
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  }

  Function function_;
  Handler handler_;
  // Until the other thread has posted: the event loop of the caller must not end before.
  asio::executor_work_guard<asio::associated_executor_t<Handler>> caller_;
  std::exception_ptr error_;
  Result result_ = Result();
};

/// Calls `function` on another thread, that of `executor`. The caller resumes on its own executor
/// with the result or the exception. The result type needs a default constructor. asio::co_spawn()
/// would take one more turn of the other event loop.
template <class OtherExecutor, class Function>
auto invoke_on(OtherExecutor executor, Function function) {
  using Result = std::invoke_result_t<Function&>;
  return asio::async_initiate<decltype(use_task), void(std::exception_ptr, Result)>(
      [executor, function = std::move(function)](auto handler) mutable {
        using Call = Invocation<Function, decltype(handler)>;
        auto call = std::make_shared<Call>(std::move(function), std::move(handler));
        asio::post(executor, [call = std::move(call)] { call->run(); });
      },
      use_task);
}

}  // namespace winadmit::server
