#include "server/transport/spawn.hpp"

#include <boost/asio/co_spawn.hpp>
#include <utility>

#include "server/telemetry/log.hpp"

namespace winadmit::server {
namespace {

std::string message_of(const std::exception_ptr& exception) {
  try {
    std::rethrow_exception(exception);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown exception";
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
      LogLine(spdlog::level::err, "unhandled exception in an event loop")
          .with("error", message_of(std::current_exception()));
    }
  }
}

void spawn_connection_task(asio::io_context& loop, Task<void> task, Counter& internal_errors) {
  asio::co_spawn(loop, std::move(task), [&internal_errors](const std::exception_ptr& exception) {
    if (!exception) return;
    internal_errors.add();
    LogLine(spdlog::level::err, "connection closed by an unhandled exception")
        .with("error", message_of(exception));
  });
}

void spawn_server_task(asio::io_context& loop, std::string name, Task<void> task,
                       std::function<void()> on_failure) {
  asio::co_spawn(loop, std::move(task),
                 [name = std::move(name),
                  on_failure = std::move(on_failure)](const std::exception_ptr& exception) {
                   if (!exception) return;
                   LogLine(spdlog::level::err, "background task failed")
                       .with("task", name)
                       .with("error", message_of(exception));
                   on_failure();
                 });
}

}  // namespace winadmit::server
