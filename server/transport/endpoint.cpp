#include "server/transport/endpoint.hpp"

#include <netinet/tcp.h>
#include <sys/socket.h>

#include <boost/asio/ip/v6_only.hpp>
#include <boost/system/system_error.hpp>
#include <cerrno>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace winadmit::server {
namespace {

std::optional<std::uint16_t> parse_port(const std::string& text) {
  std::uint16_t port = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return port;
}

/// Bytes that the kernel may buffer for each connection. It doubles them for its own bookkeeping.
/// Its defaults are up to 4 MB to send and 6 MB to receive.
constexpr int kSendBuffer = 16 * 1024;
constexpr int kReceiveBuffer = 256 * 1024;

/// Milliseconds until the kernel closes a connection whose client acknowledges no reply.
constexpr unsigned kAcknowledgeTimeout = 10'000;

/// Accepted connections inherit these options.
void limit_kernel_buffers(Acceptor& acceptor, error_code& error) {
  acceptor.set_option(asio::socket_base::send_buffer_size(kSendBuffer), error);
  if (!error) acceptor.set_option(asio::socket_base::receive_buffer_size(kReceiveBuffer), error);
  if (!error && ::setsockopt(acceptor.native_handle(), IPPROTO_TCP, TCP_USER_TIMEOUT,
                             &kAcknowledgeTimeout, sizeof kAcknowledgeTimeout) != 0) {
    error.assign(errno, boost::system::system_category());
  }
}

}  // namespace

Tcp::endpoint parse_endpoint(const std::string& text) {
  const std::size_t colon = text.rfind(':');
  const auto port = colon == std::string::npos ? std::nullopt : parse_port(text.substr(colon + 1));
  std::string host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
  error_code error;
  const auto address = asio::ip::make_address(host.empty() ? "::" : host, error);
  if (error || !port) {
    throw std::invalid_argument("'" + text +
                                "' is not ADDRESS:PORT, such as 0.0.0.0:8443 or :8443");
  }
  const bool has_unknown_zone =
      address.is_v6() && host.find('%') != std::string::npos && address.to_v6().scope_id() == 0;
  if (has_unknown_zone)
    throw std::invalid_argument("'" + text + "' has a zone that is no interface of this host");
  return {address, *port};
}

Acceptor listen_on(asio::io_context& loop, const Tcp::endpoint& endpoint) {
  Acceptor acceptor(loop);
  error_code error;
  acceptor.open(endpoint.protocol(), error);
  const bool is_any = endpoint.address() == asio::ip::address_v6::any();
  if (error == asio::error::address_family_not_supported && is_any) {
    return listen_on(loop, {asio::ip::address_v4::any(), endpoint.port()});
  }
  if (!error && is_any) acceptor.set_option(asio::ip::v6_only(false), error);
  if (!error) acceptor.set_option(Acceptor::reuse_address(true), error);
  if (!error) limit_kernel_buffers(acceptor, error);
  if (!error) acceptor.bind(endpoint, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    // Without the place in Asio's sources, which `error` has.
    throw boost::system::system_error(error.value(), error.category(),
                                      "cannot listen on " + to_string(endpoint));
  }
  return acceptor;
}

std::string to_string(const Tcp::endpoint& endpoint) {
  const std::string address = endpoint.address().to_string();
  return (endpoint.address().is_v6() ? '[' + address + ']' : address) + ':' +
         std::to_string(endpoint.port());
}

}  // namespace winadmit::server
