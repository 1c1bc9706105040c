// Addresses to listen on, and sockets that listen there.
#pragma once

#include <string>

#include "server/transport/asio.hpp"

namespace winadmit::server {

/// "ADDRESS:PORT", an IPv6 address in brackets; ":PORT" is every address of IPv4 and IPv6. Throws
/// std::invalid_argument.
Tcp::endpoint parse_endpoint(const std::string& text);

/// Listens at once, so that start-up fails where the port is taken. "[::]" takes IPv4 as well, and
/// is 0.0.0.0 on a host without IPv6. Of each connection the kernel keeps at most 32 KiB that is
/// not read at the other end. Throws boost::system::system_error.
Acceptor listen_on(asio::io_context& loop, const Tcp::endpoint& endpoint);

/// "127.0.0.1:8443", "[::1]:8443".
std::string to_string(const Tcp::endpoint& endpoint);

}  // namespace winadmit::server
