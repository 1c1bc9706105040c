// Addresses and sockets to listen on.
#pragma once

#include <string>

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// Parses "ADDRESS:PORT", with an IPv6 address in brackets. ":PORT" means all addresses, of IPv4
/// and IPv6. Throws std::invalid_argument.
Tcp::endpoint parse_endpoint(const std::string& text);

/// Binds and listens at once, so that start-up fails if the port is taken. "[::]" accepts IPv4 as
/// well, and is 0.0.0.0 on a host without IPv6. The kernel buffers at most 32 KiB of unread replies
/// for each connection. Throws boost::system::system_error.
Acceptor listen_on(asio::io_context& loop, const Tcp::endpoint& endpoint);

/// "127.0.0.1:8443", "[::1]:8443".
std::string to_string(const Tcp::endpoint& endpoint);

}  // namespace winadmit::server
