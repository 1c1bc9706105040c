// The loop of a port that accepts connections, also while descriptors or memory are short.
#pragma once

#include <functional>

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// Calls `accept_one` until `acceptor` is closed. After an error, std::bad_alloc included, calls
/// `make_room`, which is to close a connection, and pauses.
Task<void> accept_until_closed(Acceptor& acceptor, std::function<Task<error_code>()> accept_one,
                               std::function<void(const error_code&)> make_room);

}  // namespace winadmit::server
