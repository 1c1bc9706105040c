// How glibc keeps and returns the memory of the process.
#pragma once

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// Makes glibc keep the memory of bodies for the next ones. To be called before threads start.
void keep_memory_of_bodies();

/// Returns unused memory to the system every few seconds, for other pods, until the loop stops.
Task<void> trim_memory(asio::io_context& loop);

}  // namespace winadmit::server
