#include "cluster/client.hpp"

#include <algorithm>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <future>
#include <sstream>
#include <thread>

#include "bytes/files.hpp"
#include "bytes/openssl_reason.hpp"
#include "certs/pair.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace winadmit::cluster {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using asio::use_awaitable;
using Stream = beast::ssl_stream<beast::tcp_stream>;

constexpr std::chrono::seconds kReplicaTimeout{5};
/// Bytes of a message of the API server that are printed.
constexpr std::size_t kMaxMessageLength = 2048;

/// Runs `task`. It is a coroutine because blocking calls have no timeouts.
template <typename Result>
Result run(asio::io_context& loop, asio::awaitable<Result> task) {
  auto result = asio::co_spawn(loop, std::move(task), asio::use_future);
  loop.run();
  return result.get();
}

using Endpoints = std::vector<asio::ip::tcp::endpoint>;

Deadline earlier(std::chrono::seconds timeout, Deadline deadline) {
  return std::min(std::chrono::steady_clock::now() + timeout, deadline);
}

/// A lookup cannot be cancelled: it runs in a thread that is detached and may outlive the deadline.
Endpoints resolve_by(Deadline deadline, const Resolve& lookup, const std::string& host,
                     const std::string& port) {
  std::packaged_task<Endpoints()> task([=] { return lookup(host, port); });
  std::future<Endpoints> found = task.get_future();
  std::thread(std::move(task)).detach();
  if (found.wait_until(deadline) != std::future_status::ready)
    throw boost::system::system_error(beast::error::timeout);
  return found.get();
}

/// All later operations on the stream share the deadline.
asio::awaitable<void> connect(Stream& stream, const Endpoints& endpoints, Deadline deadline) {
  beast::get_lowest_layer(stream).expires_at(deadline);
  co_await beast::get_lowest_layer(stream).async_connect(endpoints, use_awaitable);
  co_await stream.async_handshake(ssl::stream_base::client, use_awaitable);
}

/// A certificate is for an address without the zone, as in fe80::1%eth0 (RFC 4007).
std::string without_zone(const std::string& address) {
  return address.substr(0, address.find('%'));
}

/// Requires a certificate for `host`, and sends a name as SNI. Throws Error if OpenSSL takes it
/// neither as a name nor as an address.
void verify_host(SSL* session, const std::string& host) {
  boost::system::error_code not_an_address;
  asio::ip::make_address(host, not_an_address);
  bool is_set = false;
  if (!not_an_address) {
    const std::string address = without_zone(host);
    is_set = X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), address.c_str()) == 1;
  } else {
    is_set = SSL_set1_host(session, host.c_str()) == 1 &&
             // SSL_set_tlsext_host_name, which is a macro with a C cast in it.
             SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
                      const_cast<char*>(host.c_str())) == 1;
  }
  if (!is_set) throw Error("cannot verify a server named '" + host + "': " + openssl_reason());
}

asio::awaitable<Response> exchange(const ClientConfig& config, const Endpoints& endpoints,
                                   std::string request, Deadline deadline) {
  ssl::context tls(ssl::context::tls_client);
  tls.set_verify_mode(ssl::verify_peer);
  // As kubectl and Go do, trust an intermediate CA without its issuer.
  X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(tls.native_handle()), X509_V_FLAG_PARTIAL_CHAIN);
  const std::string ca_file = config.ca_file.string();
  for (const auto& ca : certs::parse_certificates(certs::read_pem(ca_file), ca_file)) {
    if (X509_STORE_add_cert(SSL_CTX_get_cert_store(tls.native_handle()), ca.get()) != 1)
      throw Error("cannot trust " + ca_file + ": " + openssl_reason());
  }
  Stream stream(co_await asio::this_coro::executor, tls);
  verify_host(stream.native_handle(), config.host);
  try {
    co_await connect(stream, endpoints, deadline);
  } catch (const boost::system::system_error&) {
    const long result = SSL_get_verify_result(stream.native_handle());
    if (result == X509_V_OK) throw;
    throw Error("cannot verify https://" + authority(config) + " with " + ca_file + ": " +
                X509_verify_cert_error_string(result));
  }
  co_await asio::async_write(stream, asio::buffer(request), use_awaitable);
  beast::flat_buffer buffer;
  http::response<http::string_body> response;
  co_await http::async_read(stream, buffer, response, use_awaitable);
  std::vector<std::string> warnings;
  for (auto [next, end] = response.equal_range(http::field::warning); next != end; ++next)
    warnings.emplace_back(next->value());
  co_return Response{.status = response.result_int(),
                     .body = nlohmann::json::parse(response.body(), nullptr, false),
                     .warnings = std::move(warnings)};
}

/// One text, because Beast would write a request in many kinds of buffers. To compile each takes as
/// long as the rest of this file.
std::string to_text(const http::request<http::string_body>& request) {
  std::ostringstream text;
  text << request;
  return text.str();
}

asio::awaitable<std::string> fetch_sha256(const Endpoints& endpoints, Deadline deadline) {
  ssl::context tls(ssl::context::tls_client);
  Stream stream(co_await asio::this_coro::executor, tls);
  try {
    co_await connect(stream, endpoints, deadline);
  } catch (const boost::system::system_error&) {
    // A server that requires a client certificate has sent its own before.
  }
  const certs::Certificate served(SSL_get1_peer_certificate(stream.native_handle()));
  co_return served ? certs::describe(served.get()).sha256 : "";
}

/// The token in the file. Throws Error if it has none, or text that no header may have.
std::string read_token(const std::filesystem::path& file) {
  std::string token(trim(read_file(file)));
  if (token.empty()) throw Error(file.string() + " has no token");
  const auto is_visible = [](char c) { return c > ' ' && c <= '~'; };
  if (!std::ranges::all_of(token, is_visible))
    throw Error(file.string() + " must have a token in one line, and nothing else");
  return token;
}

}  // namespace

std::vector<asio::ip::tcp::endpoint> resolve(const std::string& host, const std::string& port) {
  asio::io_context loop(1);
  Endpoints endpoints;
  for (const auto& entry : asio::ip::tcp::resolver(loop).resolve(host, port))
    endpoints.push_back(entry.endpoint());
  return endpoints;
}

Response Client::send(const std::string& method, const std::string& path,
                      const nlohmann::json& body, const std::string& content_type) const {
  http::request<http::string_body> request;
  request.method_string(method);
  request.target(path);
  request.version(11);
  request.set(http::field::host, authority(config_));
  request.set(http::field::user_agent, "winadmit");
  request.set(http::field::accept, "application/json");
  request.set(http::field::connection, "close");
  request.set(http::field::authorization, "Bearer " + read_token(config_.token_file));
  if (!body.is_null()) {
    request.set(http::field::content_type, content_type);
    request.body() = body.dump();
  }
  request.prepare_payload();
  try {
    const Deadline deadline = earlier(timeout_, deadline_);
    const Endpoints endpoints = resolve_by(deadline, resolve_, config_.host, config_.port);
    asio::io_context loop(1);
    return run(loop, exchange(config_, endpoints, to_text(request), deadline));
  } catch (const boost::system::system_error& error) {
    throw Error(method + " https://" + authority(config_) + path + ": " + error.code().message());
  }
}

std::string Client::error_message(const Response& answer) {
  const std::string status = std::to_string(answer.status);
  if (!answer.body.is_object()) return status;
  const auto message = answer.body.find("message");
  if (message == answer.body.end() || !message->is_string()) return status + ": no message";
  return status + ": " + printable(truncate_utf8(message->get<std::string>(), kMaxMessageLength));
}

std::string served_sha256(const std::string& address, const std::string& port, Deadline deadline) {
  deadline = earlier(kReplicaTimeout, deadline);
  try {
    const Endpoints endpoints = resolve_by(deadline, resolve, address, port);
    asio::io_context loop(1);
    return run(loop, fetch_sha256(endpoints, deadline));
  } catch (const boost::system::system_error&) {
    return "";
  }
}

}  // namespace winadmit::cluster
