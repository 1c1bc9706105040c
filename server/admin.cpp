#include "server/admin.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <nlohmann/json.hpp>

#include "policy/version.hpp"
#include "server/build_info.hpp"

namespace winadmit::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using Stream = beast::basic_stream<Tcp, Executor>;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

constexpr std::chrono::seconds kPatience{30};
constexpr std::size_t kMostConnections = 64;

Response reply(const Request& request, http::status status, std::string_view type,
               std::string body) {
  Response response(status, request.version());
  response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
  response.keep_alive(request.keep_alive());
  response.body() = std::move(body);
  response.prepare_payload();
  return response;
}

Response answer(const Request& request, const Metrics& metrics, bool ready) {
  static constexpr std::string_view kText = "text/plain; charset=utf-8";
  const auto path = request.target().substr(0, request.target().find('?'));
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    return reply(request, http::status::method_not_allowed, kText, "only GET is served\n");
  }
  if (path == "/healthz") return reply(request, http::status::ok, kText, "ok\n");
  if (path == "/readyz") {
    return ready ? reply(request, http::status::ok, kText, "ok\n")
                 : reply(request, http::status::service_unavailable, kText, "draining\n");
  }
  if (path == "/metrics") {
    return reply(request, http::status::ok, "text/plain; version=0.0.4; charset=utf-8",
                 metrics.text());
  }
  if (path == "/version") {
    return reply(request, http::status::ok, "application/json", version_json() + '\n');
  }
  return reply(request, http::status::not_found, kText,
               "no such path: /healthz, /readyz, /metrics, /version\n");
}

}  // namespace

std::string version_json() {
  return nlohmann::ordered_json{{"version", kVersion},
                                {"compiler", kCompiler},
                                {"oldestKubernetesVersion", to_string(kOldestVersion)},
                                {"newestKubernetesVersion", to_string(kNewestVersion)}}
      .dump();
}

Admin::Admin(asio::io_context& loop, const Tcp::endpoint& endpoint, const Metrics& metrics)
    : metrics_(metrics), acceptor_(loop, endpoint, true) {}

Task<void> Admin::accept() {
  while (acceptor_.is_open()) {
    error_code error;
    Socket socket = co_await acceptor_.async_accept(asio::redirect_error(use_task, error));
    if (error == asio::error::operation_aborted) co_return;
    if (error || open_ >= kMostConnections) continue;
    asio::co_spawn(acceptor_.get_executor(), serve(std::move(socket)), asio::detached);
  }
}

Task<void> Admin::serve(Socket socket) {
  ++open_;
  Stream stream(std::move(socket));
  beast::flat_buffer buffer;
  error_code error;
  for (bool more = true; more && !error;) {
    Request request;
    stream.expires_after(kPatience);
    co_await http::async_read(stream, buffer, request, asio::redirect_error(use_task, error));
    if (error) break;
    Response response = answer(request, metrics_, ready_);
    more = response.keep_alive();
    if (request.method() == http::verb::head) response.body().clear();
    co_await http::async_write(stream, response, asio::redirect_error(use_task, error));
  }
  stream.socket().shutdown(Tcp::socket::shutdown_send, error);
  --open_;
}

void Admin::close() {
  error_code ignored;
  acceptor_.close(ignored);
}

}  // namespace winadmit::server
