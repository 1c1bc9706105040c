#include "server/transport/spawn.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "server/telemetry/log.hpp"
#include "server/transport/scope_exit.hpp"

namespace winadmit::server {
namespace {

/// Without an allocation: the exception may be a lack of memory.
void add_error(LogLine& line, const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    line.with("error", error.what());
  } catch (...) {
    line.with("error", "unknown exception");
  }
}

/// Reports also a task that is destroyed before its end. Asio destroys a coroutine, without an
/// exception in it, if there is no memory for the operation that it begins to wait for.
Task<void> report_failure(asio::io_context& loop, std::string name, Task<void> task,
                          std::function<void()> on_failure) {
  bool has_ended = false;
  std::exception_ptr exception;
  const ScopeExit report([&] {
    if (has_ended || loop.stopped()) return;
    {
      LogLine line(spdlog::level::err, "background task failed");
      line.with("task", name);
      if (exception) {
        add_error(line, exception);
      } else {
        line.with("error", "there is no memory to wait");
      }
    }
    on_failure();
  });
  try {
    co_await std::move(task);
    has_ended = true;
  } catch (...) {
    exception = std::current_exception();
  }
}

}  // namespace

void run_loop(asio::io_context& loop, Counter& internal_errors) {
  for (;;) {
    try {
      loop.run();
      return;
    } catch (...) {
      internal_errors.add();
      LogLine line(spdlog::level::err, "unhandled exception in an event loop");
      add_error(line, std::current_exception());
    }
  }
}

void report_failed_connection(const std::exception_ptr& exception, Counter& internal_errors) {
  internal_errors.add();
  LogLine line(spdlog::level::err, "connection closed by an unhandled exception");
  add_error(line, exception);
}

void spawn_connection_task(asio::io_context& loop, Task<void> task, Counter& internal_errors) {
  asio::co_spawn(loop, std::move(task), [&internal_errors](const std::exception_ptr& exception) {
    if (exception) report_failed_connection(exception, internal_errors);
  });
}

void spawn_server_task(asio::io_context& loop, std::string name, Task<void> task,
                       std::function<void()> on_failure) {
  asio::co_spawn(loop,
                 report_failure(loop, std::move(name), std::move(task), std::move(on_failure)),
                 asio::detached);  // it has no exception
}

}  // namespace winadmit::server
