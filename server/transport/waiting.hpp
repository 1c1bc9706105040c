// The coroutine of a connection, and how it waits. It waits for long, so it is no coroutine of
// Asio, which would keep 500 bytes more: 4,096 idle connections would take 75 MB instead of 72 MB.
#pragma once

#include <boost/asio/co_spawn.hpp>
#include <coroutine>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// A coroutine that owns itself. It is destroyed at its end, or with what it waits for. It must not
/// throw.
struct SelfOwned {
  struct promise_type {  // NOLINT: the standard names it
    static SelfOwned get_return_object() noexcept { return {}; }
    static std::suspend_never initial_suspend() noexcept { return {}; }
    static std::suspend_never final_suspend() noexcept { return {}; }
    static void return_void() noexcept {}
    static void unhandled_exception() noexcept { std::terminate(); }
  };
};

/// Owns such a coroutine while it waits. To be called once.
class Resumption {
 public:
  Resumption() = default;
  explicit Resumption(std::coroutine_handle<> waiting) : frame_(waiting.address()) {}

  /// Whether there is one.
  explicit operator bool() const { return frame_ != nullptr; }

  void operator()() { std::coroutine_handle<>::from_address(frame_.release()).resume(); }

 private:
  struct Destroy {
    void operator()(void* frame) const { std::coroutine_handle<>::from_address(frame).destroy(); }
  };
  std::unique_ptr<void, Destroy> frame_;
};

/// Waits until the resumption is called that `start` gets. Without memory for that, the coroutine
/// is destroyed, as Asio does.
template <class Start>
class Wait {
 public:
  explicit Wait(Start start) : start_(std::move(start)) {}

  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) noexcept {
    try {
      auto start = std::move(start_);  // this may be destroyed
      start(Resumption(waiting));
    } catch (const std::bad_alloc&) {
    }
  }
  static void await_resume() noexcept {}

 private:
  Start start_;
};

/// Waits for the result of a task.
template <class Result>
class Run {
 public:
  Run(asio::io_context& loop, Task<Result> task) : loop_(loop), task_(std::move(task)) {}

  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> waiting) noexcept {
    try {
      asio::co_spawn(loop_, std::move(task_),
                     [this, resume = Resumption(waiting)](const std::exception_ptr& exception,
                                                          Result result) mutable {
                       exception_ = exception;
                       result_ = std::move(result);
                       resume();
                     });
    } catch (const std::bad_alloc&) {
    }
  }
  Result await_resume() {
    if (exception_) std::rethrow_exception(exception_);
    return std::move(result_);
  }

 private:
  asio::io_context& loop_;
  Task<Result> task_;
  std::exception_ptr exception_;
  Result result_{};
};

}  // namespace winadmit::server
