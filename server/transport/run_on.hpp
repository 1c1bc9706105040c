// Runs a function on another thread's executor, while the calling coroutine waits.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <exception>
#include <type_traits>
#include <utility>

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// The caller resumes on its own executor with what `function` has returned or thrown. What
/// `function` refers to must stay until then.
template <class OtherExecutor, class Function>
auto run_on(OtherExecutor other, Function function) {
  using Result = std::invoke_result_t<Function&>;
  return asio::async_initiate<decltype(use_task), void(std::exception_ptr, Result)>(
      [other, function = std::move(function)](auto handler) mutable {
        auto caller = asio::make_work_guard(asio::get_associated_executor(handler));
        asio::post(other, [caller, function = std::move(function),
                           handler = std::move(handler)]() mutable {
          std::exception_ptr failure;
          Result result = Result();
          try {
            result = function();
          } catch (...) {
            failure = std::current_exception();
          }
          asio::post(caller.get_executor(),
                     [handler = std::move(handler), failure, result = std::move(result)]() mutable {
                       std::move(handler)(failure, std::move(result));
                     });
        });
      },
      use_task);
}

}  // namespace winadmit::server
