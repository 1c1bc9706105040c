// How coroutines start, and what becomes of their exceptions. An exception is a fault of ours, for
// what clients and networks do comes as error codes.
#pragma once

#include <exception>
#include <functional>
#include <string>
#include <string_view>

#include "server/telemetry/counter.hpp"
#include "server/transport/asio.hpp"

namespace winadmit::server {

/// Runs the loop until it is stopped. An exception of a handler is logged and counted, and the loop
/// goes on.
void run(asio::io_context& loop, Counter& faults);

/// Runs a task for one client. An exception ends that task alone; it is logged and counted.
void spawn_for_client(asio::io_context& loop, Task<void> task, Counter& faults);

/// Runs a task that the server cannot do without. An exception is logged, and `on_failure` is
/// called to stop the server in order.
void spawn_for_server(asio::io_context& loop, std::string name, Task<void> task,
                      std::function<void()> on_failure);

}  // namespace winadmit::server
