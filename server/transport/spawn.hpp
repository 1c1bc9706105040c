// Starts coroutines, and handles their exceptions. An exception is a bug or a lack of memory:
// clients and networks cause error codes only.
#pragma once

#include <exception>
#include <functional>
#include <string>

#include "server/telemetry/counter.hpp"
#include "server/transport/asio.hpp"

namespace winadmit::server {

/// Runs the event loop until it is stopped. Logs and counts an exception of a handler, and goes on.
void run_loop(asio::io_context& loop, Counter& internal_errors);

/// Logs and counts an exception that ends a connection.
void report_failed_connection(const std::exception_ptr& exception, Counter& internal_errors);

/// Runs a task for one connection. An exception ends this task only; it is logged and counted.
void spawn_connection_task(asio::io_context& loop, Task<void> task, Counter& internal_errors);

/// Runs a task that the server needs. If it fails, by an exception or because there is no memory to
/// wait, logs that and calls `on_failure`, which is to stop the server. Both must not throw.
void spawn_server_task(asio::io_context& loop, std::string name, Task<void> task,
                       std::function<void()> on_failure);

}  // namespace winadmit::server
