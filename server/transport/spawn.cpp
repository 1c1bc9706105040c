#include "server/transport/spawn.hpp"

#include <boost/asio/co_spawn.hpp>
#include <utility>

#include "server/telemetry/log.hpp"

namespace winadmit::server {
namespace {

std::string what(const std::exception_ptr& failure) {
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    return error.what();
  } catch (...) {
    return "unknown exception";
  }
}

}  // namespace

void run(asio::io_context& loop, Counter& faults) {
  for (;;) {
    try {
      loop.run();
      return;
    } catch (...) {
      faults.add();
      LogLine(spdlog::level::err, "handler ended by a fault")
          .with("error", what(std::current_exception()));
    }
  }
}

void spawn_for_client(asio::io_context& loop, Task<void> task, Counter& faults) {
  asio::co_spawn(loop, std::move(task), [&faults](const std::exception_ptr& failure) {
    if (!failure) return;
    faults.add();
    LogLine(spdlog::level::err, "connection ended by a fault").with("error", what(failure));
  });
}

void spawn_for_server(asio::io_context& loop, std::string name, Task<void> task,
                      std::function<void()> on_failure) {
  asio::co_spawn(loop, std::move(task),
                 [name = std::move(name),
                  on_failure = std::move(on_failure)](const std::exception_ptr& failure) {
                   if (!failure) return;
                   LogLine(spdlog::level::err, "background task failed")
                       .with("task", name)
                       .with("error", what(failure));
                   on_failure();
                 });
}

}  // namespace winadmit::server
