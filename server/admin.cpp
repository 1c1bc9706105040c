#include "server/admin.hpp"

#include <algorithm>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <map>
#include <optional>

#include "config/build_info.hpp"
#include "server/memory.hpp"
#include "server/telemetry/certificate_warning.hpp"
#include "server/telemetry/log.hpp"
#include "server/transport/accept_loop.hpp"
#include "server/transport/endpoint.hpp"
#include "server/transport/http_reply.hpp"
#include "server/transport/request_parser.hpp"
#include "server/transport/scope_exit.hpp"
#include "server/transport/spawn.hpp"

namespace winadmit::server {
namespace {

using Stream = boost::beast::basic_stream<Tcp, Executor>;

constexpr HttpLimits kHttpLimits;
constexpr std::chrono::seconds kTimeout{30};

constexpr std::size_t kReadSize = 4096;

HttpReply make_reply(int status, std::string_view type, std::string_view body) {
  HttpReply reply;
  reply.status = status;
  reply.content_type = type;
  reply.body.append(body);
  return reply;
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

bool has_known_method(const RequestHeader& request) {
  return request.method == "GET" || request.method == "HEAD";
}

bool has_body(const RequestHeader& request) {
  return request.chunked || request.content_length > 0;
}

HttpReply answer(const RequestHeader& request, const Metrics& metrics, bool ready) {
  if (!has_known_method(request)) return plain_reply(405, "method must be GET or HEAD");
  if (has_body(request)) return plain_reply(400, "the request must not have a body");
  const std::string_view path = path_of(request.target);
  if (path == "/healthz") return plain_reply(200, "ok");
  if (path == "/readyz") {
    return ready ? make_reply(200, kTextType, "ok\n" + details(metrics))
                 : plain_reply(503, "draining");
  }
  if (path == "/metrics") {
    return make_reply(200, "text/plain; version=0.0.4; charset=utf-8", metrics.text());
  }
  if (path == "/version") return make_reply(200, kJsonType, version_json() + '\n');
  return plain_reply(404, "no such path: /healthz, /readyz, /metrics, /version");
}

/// Reads until `received` has a whole header, or more than the limit.
Task<std::optional<std::size_t>> read_header(Stream& stream, std::string& received,
                                             error_code& error) {
  std::size_t searched = 0;
  std::optional<std::size_t> size;
  while (!(size = find_header_end(received, searched)) &&
         received.size() <= kHttpLimits.max_header) {
    searched = received.size();
    received.resize(searched + kReadSize);
    const std::size_t count = co_await stream.async_read_some(
        asio::buffer(received) + searched, asio::redirect_error(use_task, error));
    received.resize(searched + count);
    if (error) co_return std::nullopt;
  }
  co_return size;
}

/// `size`: what read_header() has found.
std::optional<HttpError> parse_header(RequestParser& parser, std::string_view received,
                                      std::optional<std::size_t> size) {
  if (!size || *size > kHttpLimits.max_header) return header_limit_error(kHttpLimits);
  return parser.parse_header(received.substr(0, *size));
}

}  // namespace

Admin::Admin(const Tcp::endpoint& endpoint, Metrics& metrics, std::size_t max_connections)
    : metrics_(metrics),
      thread_metrics_(metrics.add_thread()),
      errors_(thread_metrics_.bad_request(BadRequestReason::internal)),
      max_connections_(max_connections),
      acceptor_(listen_on(loop_, endpoint)) {}

void Admin::start(std::function<void()> on_failure) {
  spawn_server_task(loop_, "admin port",
                    accept_until_closed(
                        acceptor_, [this] { return accept_one(); },
                        [this](const error_code& error) { make_room(error); }),
                    on_failure);
  spawn_server_task(loop_, "memory trim", trim_memory(loop_), std::move(on_failure));
  thread_ = std::jthread([this] { run_loop(loop_, errors_); });
}

void Admin::stop() {
  loop_.stop();
  if (thread_.joinable()) thread_.join();
}

void Admin::make_room(const error_code& error) {
  close_one();
  thread_metrics_.refusals.at_accept.add();
  LogLine(spdlog::level::warn, "cannot accept a connection to the admin port")
      .with("error", error.message());
}

Task<error_code> Admin::accept_one() {
  error_code error;
  Socket socket = co_await acceptor_.async_accept(asio::redirect_error(use_task, error));
  if (error) co_return error;
  if (open_.size() >= max_connections_) close_one();
  spawn_connection_task(loop_, serve(std::move(socket)), errors_);
  co_return error;
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
  std::string received;
  fmt::memory_buffer reply;
  ReplyOptions options{.allow = "GET, HEAD"};
  while (options.keep_alive && !error) {
    stream.expires_after(kTimeout);
    const std::optional<std::size_t> size = co_await read_header(stream, received, error);
    if (error) break;
    RequestParser parser(kHttpLimits);
    const auto refusal = parse_header(parser, received, size);
    const RequestHeader& request = parser.header();
    options.keep_alive = !refusal && request.keep_alive && !has_body(request);
    options.is_http_1_0 = request.is_http_1_0;
    options.omit_body = request.method == "HEAD";
    reply.clear();
    append_reply(reply,
                 refusal ? plain_reply(refusal->status, refusal->message)
                         : answer(request, metrics_, ready_),
                 options);
    received.erase(0, size.value_or(received.size()));
    co_await asio::async_write(stream, asio::buffer(reply.data(), reply.size()),
                               asio::redirect_error(use_task, error));
  }
  stream.socket().shutdown(Tcp::socket::shutdown_send, error);
}

}  // namespace winadmit::server
