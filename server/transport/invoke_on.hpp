// Calls a function on another thread while the calling coroutine waits.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <type_traits>
#include <utility>

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// Calls `function` on another thread: `post` takes a callable without parameters, which can be
/// moved only, and runs it there. The caller resumes on its own executor with the result or the
/// exception. The result type needs a default constructor. asio::co_spawn() would take one more
/// turn of the other event loop.
template <class Post, class Function>
auto invoke_through(Post post, Function function) {
  using Result = std::invoke_result_t<Function&>;
  return asio::async_initiate<decltype(use_task), void(std::exception_ptr, Result)>(
      [post = std::move(post), function = std::move(function)](auto handler) mutable {
        auto caller = asio::make_work_guard(asio::get_associated_executor(handler));
        post([caller, function = std::move(function), handler = std::move(handler)]() mutable {
          std::exception_ptr error;
          Result result = Result();
          try {
            result = function();
          } catch (...) {
            error = std::current_exception();
          }
          asio::post(caller.get_executor(),
                     [handler = std::move(handler), error, result = std::move(result)]() mutable {
                       std::move(handler)(error, std::move(result));
                     });
        });
      },
      use_task);
}

/// The same on `executor`.
template <class OtherExecutor, class Function>
auto invoke_on(OtherExecutor executor, Function function) {
  return invoke_through([executor](auto work) { asio::post(executor, std::move(work)); },
                        std::move(function));
}

}  // namespace winadmit::server
