#include "cluster/client.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl.hpp>
#include <cstdlib>
#include <future>
#include <thread>

#include "certs/files.hpp"
#include "certs/pair.hpp"

namespace winadmit::cluster {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace ssl = asio::ssl;
using asio::use_awaitable;
using certs::Error;
using Stream = beast::ssl_stream<beast::tcp_stream>;

const std::filesystem::path kServiceAccount = "/var/run/secrets/kubernetes.io/serviceaccount";

/// Coroutines are used for their timeouts, which blocking calls lack; the caller waits.
template <typename Result>
Result wait_for(asio::io_context& loop, asio::awaitable<Result> task) {
  auto result = asio::co_spawn(loop, std::move(task), asio::use_future);
  loop.run();
  return result.get();
}

using Endpoints = std::vector<asio::ip::tcp::endpoint>;
using Deadline = std::chrono::steady_clock::time_point;

/// A lookup cannot be interrupted: it has a thread of its own, which is left behind at the
/// deadline.
Endpoints resolve_by(Deadline deadline, const Resolve& lookup, const std::string& host,
                     const std::string& port) {
  std::packaged_task<Endpoints()> task([=] { return lookup(host, port); });
  std::future<Endpoints> found = task.get_future();
  std::thread(std::move(task)).detach();
  if (found.wait_until(deadline) != std::future_status::ready)
    throw boost::system::system_error(beast::error::timeout);
  return found.get();
}

/// From here on until its end, everything on the stream has to be done by the deadline.
asio::awaitable<void> connect(Stream& stream, const Endpoints& endpoints, Deadline deadline) {
  beast::get_lowest_layer(stream).expires_at(deadline);
  co_await beast::get_lowest_layer(stream).async_connect(endpoints, use_awaitable);
  co_await stream.async_handshake(ssl::stream_base::client, use_awaitable);
}

std::string authority(const std::string& host, const std::string& port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return (is_ipv6 ? "[" + host + "]" : host) + ":" + port;
}

std::string trimmed(std::string text) {
  text.erase(text.find_last_not_of(" \r\n\t") + 1);
  return text;
}

/// The certificate has to be the host's; a server of several names is told which one is meant.
void expect(SSL* session, const std::string& host) {
  boost::system::error_code is_no_address;
  asio::ip::make_address(host, is_no_address);
  if (!is_no_address) {
    X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host.c_str());
    return;
  }
  SSL_set1_host(session, host.c_str());
  // SSL_set_tlsext_host_name, which is a macro with a C cast in it.
  SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
           const_cast<char*>(host.c_str()));
}

asio::awaitable<Answer> exchange(const Access& access, const Endpoints& endpoints,
                                 http::request<http::string_body> request, Deadline deadline) {
  ssl::context tls(ssl::context::tls_client);
  tls.set_verify_mode(ssl::verify_peer);
  const std::string ca_file = access.ca_file.string();
  for (const auto& ca : certs::parse_certificates(certs::read_file(ca_file), ca_file))
    X509_STORE_add_cert(SSL_CTX_get_cert_store(tls.native_handle()), ca.get());
  Stream stream(co_await asio::this_coro::executor, tls);
  expect(stream.native_handle(), access.host);
  try {
    co_await connect(stream, endpoints, deadline);
  } catch (const boost::system::system_error&) {
    const long verdict = SSL_get_verify_result(stream.native_handle());
    if (verdict == X509_V_OK) throw;
    throw Error("https://" + authority(access.host, access.port) + " is not to be trusted, by " +
                ca_file + ": " + X509_verify_cert_error_string(verdict));
  }
  co_await http::async_write(stream, request, use_awaitable);
  beast::flat_buffer buffer;
  http::response<http::string_body> response;
  co_await http::async_read(stream, buffer, response, use_awaitable);
  co_return Answer{.status = response.result_int(),
                   .body = nlohmann::json::parse(response.body(), nullptr, false)};
}

asio::awaitable<std::string> handshake(const Endpoints& endpoints, Deadline deadline) {
  ssl::context tls(ssl::context::tls_client);
  Stream stream(co_await asio::this_coro::executor, tls);
  try {
    co_await connect(stream, endpoints, deadline);
  } catch (const boost::system::system_error&) {
    // A server that asks for a client's certificate has shown its own before it hangs up.
  }
  const certs::Certificate served(SSL_get1_peer_certificate(stream.native_handle()));
  co_return served ? certs::describe(served.get()).sha256 : "";
}

}  // namespace

Access parse_server(const std::string& url) {
  constexpr std::string_view kScheme = "https://";
  const Error error("\"" + url + "\" is not of the form https://HOST[:PORT]");
  if (!url.starts_with(kScheme)) throw error;
  std::string rest = url.substr(kScheme.size());
  if (rest.ends_with('/')) rest.pop_back();

  Access access{.host = {}, .port = "443", .token_file = {}, .ca_file = {}};
  std::string after;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == rest.npos) throw error;
    access.host = rest.substr(1, end - 1);
    after = rest.substr(end + 1);
  } else {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    access.host = rest.substr(0, end);
    after = rest.substr(end);
  }
  if (after.starts_with(':')) access.port = after.substr(1);
  const bool is_number =
      !access.port.empty() && access.port.find_first_not_of("0123456789") == std::string::npos;
  const bool has_more = !after.empty() && !after.starts_with(':');
  if (access.host.empty() || access.host.find_first_of("/?#@") != std::string::npos || has_more ||
      !is_number)
    throw error;
  return access;
}

Access in_cluster_access() {
  const char* host = std::getenv("KUBERNETES_SERVICE_HOST");
  const char* port = std::getenv("KUBERNETES_SERVICE_PORT");
  if (host == nullptr || port == nullptr)
    throw Error(
        "not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set");
  return {.host = host,
          .port = port,
          .token_file = kServiceAccount / "token",
          .ca_file = kServiceAccount / "ca.crt"};
}

std::string in_cluster_namespace() {
  std::error_code none;
  const auto file = kServiceAccount / "namespace";
  return std::filesystem::exists(file, none) ? trimmed(certs::read_file(file)) : "";
}

std::vector<asio::ip::tcp::endpoint> resolve(const std::string& host, const std::string& port) {
  asio::io_context loop(1);
  Endpoints endpoints;
  for (const auto& entry : asio::ip::tcp::resolver(loop).resolve(host, port))
    endpoints.push_back(entry.endpoint());
  return endpoints;
}

Answer Client::send(const std::string& method, const std::string& path, const nlohmann::json& body,
                    const std::string& content_type) const {
  http::request<http::string_body> request;
  request.method_string(method);
  request.target(path);
  request.version(11);
  request.set(http::field::host, authority(access_.host, access_.port));
  request.set(http::field::user_agent, "winadmit");
  request.set(http::field::accept, "application/json");
  request.set(http::field::connection, "close");
  request.set(http::field::authorization,
              "Bearer " + trimmed(certs::read_file(access_.token_file)));
  if (!body.is_null()) {
    request.set(http::field::content_type, content_type);
    request.body() = body.dump();
  }
  request.prepare_payload();
  try {
    const Deadline deadline = std::chrono::steady_clock::now() + timeout_;
    const Endpoints endpoints = resolve_by(deadline, resolve_, access_.host, access_.port);
    asio::io_context loop(1);
    return wait_for(loop, exchange(access_, endpoints, std::move(request), deadline));
  } catch (const boost::system::system_error& error) {
    throw Error(method + " https://" + authority(access_.host, access_.port) + path + ": " +
                error.code().message());
  }
}

std::string Client::reason(const Answer& answer) {
  const std::string status = std::to_string(answer.status);
  if (!answer.body.is_object()) return status;
  return status + ": " + answer.body.value("message", "no message");
}

std::string served_sha256(const std::string& address, const std::string& port,
                          std::chrono::seconds timeout) {
  const Deadline deadline = std::chrono::steady_clock::now() + timeout;
  try {
    const Endpoints endpoints = resolve_by(deadline, resolve, address, port);
    asio::io_context loop(1);
    return wait_for(loop, handshake(endpoints, deadline));
  } catch (const boost::system::system_error&) {
    return "";
  }
}

}  // namespace winadmit::cluster
