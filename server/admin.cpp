#include "server/admin.hpp"

#include <malloc.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http.hpp>
#include <map>
#include <nlohmann/json.hpp>

#include "certs/description.hpp"
#include "certs/expiry.hpp"
#include "policy/rules/version.hpp"
#include "server/scope_exit.hpp"
#include "server/telemetry/build_info.hpp"
#include "server/telemetry/log.hpp"
#include "server/transport/endpoint.hpp"
#include "server/transport/spawn.hpp"

namespace winadmit::server {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using Stream = beast::basic_stream<Tcp, Executor>;
using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

constexpr std::chrono::seconds kTimeout{30};
constexpr std::chrono::milliseconds kAcceptRetryInterval{100};
constexpr std::chrono::seconds kTrimInterval{5};

Response make_response(const Request& request, http::status status, std::string_view type,
                       std::string body) {
  Response response(status, request.version());
  response.set(http::field::content_type, beast::string_view(type.data(), type.size()));
  response.keep_alive(request.keep_alive());
  response.body() = std::move(body);
  response.prepare_payload();
  return response;
}

/// Warnings about faults that all replicas share. Readiness does not depend on them: without a
/// ready replica no pod would be judged.
std::string details(const Metrics& metrics) {
  std::string text;
  if (metrics.match_conditions_mismatch()) {
    text +=
        "warning: the matchConditions of the webhook configurations are for another "
        "configuration\n";
  }
  const std::string certificate = certificate_warning(metrics);
  if (!certificate.empty()) text += "warning: " + certificate + '\n';
  return text;
}

Response answer(const Request& request, const Metrics& metrics, bool ready) {
  static constexpr std::string_view kText = "text/plain; charset=utf-8";
  const auto path = request.target().substr(0, request.target().find('?'));
  if (request.method() != http::verb::get && request.method() != http::verb::head) {
    Response refusal = make_response(request, http::status::method_not_allowed, kText,
                                     "method must be GET or HEAD\n");
    refusal.set(http::field::allow, "GET, HEAD");
    return refusal;
  }
  if (path == "/healthz") return make_response(request, http::status::ok, kText, "ok\n");
  if (path == "/readyz") {
    return ready ? make_response(request, http::status::ok, kText, "ok\n" + details(metrics))
                 : make_response(request, http::status::service_unavailable, kText, "draining\n");
  }
  if (path == "/metrics") {
    return make_response(request, http::status::ok, "text/plain; version=0.0.4; charset=utf-8",
                         metrics.text());
  }
  if (path == "/version") {
    return make_response(request, http::status::ok, "application/json", version_json() + '\n');
  }
  return make_response(request, http::status::not_found, kText,
                       "no such path: /healthz, /readyz, /metrics, /version\n");
}

/// Whether Beast refuses what the client has sent. The two others mean that it has gone.
bool is_http_error(const error_code& error) {
  static const auto& category = http::make_error_code(http::error::end_of_stream).category();
  return error.category() == category && error != http::error::end_of_stream &&
         error != http::error::partial_message;
}

Response refuse(const Request& request, const error_code& error) {
  Response response = make_response(request, http::status::bad_request, "text/plain; charset=utf-8",
                                    error.message() + '\n');
  response.keep_alive(false);
  return response;
}

}  // namespace

std::string certificate_warning(const Metrics& metrics) {
  using std::chrono::sys_seconds, std::chrono::seconds;
  const std::int64_t not_after = metrics.certificate_not_after();
  if (not_after == 0) return "";
  return certs::expiry_warning(sys_seconds(seconds(metrics.certificate_not_before())),
                               sys_seconds(seconds(not_after)), certs::current_time());
}

std::string version_json() {
  return nlohmann::ordered_json{{"version", kVersion},
                                {"compiler", kCompiler},
                                {"oldestKubernetesVersion", to_string(kOldestVersion)},
                                {"newestKubernetesVersion", to_string(kNewestVersion)}}
      .dump();
}

Admin::Admin(const Tcp::endpoint& endpoint, Metrics& metrics, std::size_t max_connections)
    : metrics_(metrics),
      errors_(metrics.add_thread().bad_request(BadRequestReason::internal)),
      max_connections_(max_connections),
      acceptor_(listen_on(loop_, endpoint)) {}

void Admin::start(std::function<void()> on_failure) {
  spawn_server_task(loop_, "admin port", accept(), on_failure);
  spawn_server_task(loop_, "memory trim", trim_memory(), std::move(on_failure));
  thread_ = std::jthread([this] { run_loop(loop_, errors_); });
}

void Admin::stop() {
  loop_.stop();
  if (thread_.joinable()) thread_.join();
}

Task<void> Admin::accept() {
  Timer retry(loop_);
  while (acceptor_.is_open()) {
    error_code error;
    Socket socket = co_await acceptor_.async_accept(asio::redirect_error(use_task, error));
    if (error == asio::error::operation_aborted) co_return;
    if (error || open_.size() >= max_connections_) close_one();
    if (!error) {
      spawn_connection_task(loop_, serve(std::move(socket)), errors_);
      continue;
    }
    retry.expires_after(kAcceptRetryInterval);
    co_await retry.async_wait(asio::redirect_error(use_task, error));
  }
}

/// Makes room for a new connection. Clients that hold or open many connections close their own, not
/// those of the kubelet, which would restart the pod. An address of IPv4 is IPv4-mapped for all or
/// for none, because all come from one acceptor.
void Admin::close_one() {
  std::map<asio::ip::address, std::size_t> counts;
  for (const Connection& connection : open_) ++counts[connection.source];
  const auto found = std::ranges::max_element(  // the first of the largest
      open_, {}, [&](const Connection& connection) { return counts[connection.source]; });
  if (found == open_.end()) return;
  Socket* const socket = found->socket;
  open_.erase(found);
  error_code ignored;
  socket->close(ignored);
}

Task<void> Admin::serve(Socket socket) {
  Stream stream(std::move(socket));
  error_code error;
  // Without an address the client has gone: the error ends the loop below.
  open_.push_back({&stream.socket(), stream.socket().remote_endpoint(error).address()});
  const ScopeExit remove([this, &stream] {
    std::erase_if(open_, [&](const Connection& each) { return each.socket == &stream.socket(); });
  });
  beast::flat_buffer buffer;
  for (bool keep_alive = true; keep_alive && !error;) {
    http::request_parser<http::empty_body> parser;
    stream.expires_after(kTimeout);
    co_await http::async_read_header(stream, buffer, parser, asio::redirect_error(use_task, error));
    if (!error && !parser.is_done()) error = http::error::unexpected_body;
    if (error && !is_http_error(error)) break;
    const Request request = parser.release();
    Response response = error ? refuse(request, error) : answer(request, metrics_, ready_);
    keep_alive = response.keep_alive();
    if (request.method() == http::verb::head) response.body().clear();
    co_await http::async_write(stream, response, asio::redirect_error(use_task, error));
  }
  stream.socket().shutdown(Tcp::socket::shutdown_send, error);
}

/// glibc keeps the memory of closed connections and of large bodies. Returns it to the system, for
/// other pods.
Task<void> Admin::trim_memory() {
  Timer timer(loop_);
  for (;;) {
    timer.expires_after(kTrimInterval);
    co_await timer.async_wait(use_task);
    malloc_trim(0);
  }
}

}  // namespace winadmit::server
