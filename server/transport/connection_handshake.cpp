// The TLS handshake of a connection.
#include <memory>

#include "server/telemetry/log.hpp"
#include "server/transport/connection.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::server {
namespace {

/// How much a client may still send that is refused by its certificate: a small request.
constexpr std::size_t kMaxRefusedBytes = std::size_t{16} * 1024;

/// If the client is the API server.
constexpr std::string_view kRefusedCause =
    "it has no certificate that --client-ca and --client-name allow";
constexpr std::string_view kUntrustedCause =
    "the caBundle of the webhook configurations lacks the CA of the certificate, or the "
    "certificate lacks the name of the Service";

struct Description {
  std::string_view event;
  std::string_view cause;
};

Description describe(HandshakeFailure reason) {
  switch (reason) {
    case HandshakeFailure::expired:
      return {"a client refuses the served certificate: it has expired", ""};
    case HandshakeFailure::client_certificate:
      return {"a client is refused", kRefusedCause};
    default:
      return {"a client does not trust the served certificate", kUntrustedCause};
  }
}

}  // namespace

Task<Connection::Next> Connection::shake_hands(SSL_CTX* context) {
  // Under load, its handshake would take the time of clients that still wait.
  if (has_client_left()) {
    worker_.metrics.handshake_failure(HandshakeFailure::other).add();
    co_return Next::abort;
  }
  state_ = State::handshake;
  stream_ = std::make_unique<TlsStream>(socket_, context, worker_.scratch(), row_);
  const error_code error = co_await stream_->handshake();
  if (error && !is_closed_) co_await fail_handshake(error);
  row_.end_handshake();
  worker_.turns.serve_later();
  if (error || is_closed_) co_return Next::abort;
  if (stream_->has_client_certificate()) row_.trust();
  row_.begin();
  co_return become_idle();
}

Task<void> Connection::fail_handshake(const error_code& error) {
  count_failed_handshake(error);
  const HandshakeFailure reason = stream_->handshake_failure();
  if (reason == HandshakeFailure::plain_http) answer_plain_http();
  if (reason != HandshakeFailure::client_certificate) co_return;
  // The client sends a request before it knows that it is refused. Unread, that would reset the
  // connection, and the client might not see why. Meanwhile it counts as a handshake, so it goes
  // if others wait for theirs.
  co_await close_gracefully(kMaxRefusedBytes);
}

void Connection::count_failed_handshake(const error_code& error) {
  if (error == asio::error::no_buffer_space) {
    log_at_limit(worker_.refusal_logs, kNotServed, "memory");
    return worker_.metrics.refusals.for_memory.add();
  }
  const HandshakeFailure reason = stream_->handshake_failure();
  worker_.metrics.handshake_failure(reason).add();
  if (reason == HandshakeFailure::plain_http || reason == HandshakeFailure::other) {
    LogLine(spdlog::level::debug, "TLS handshake failed").with("error", error.message());
    return;
  }
  const auto left_out = next_line(worker_.failed_handshake_logs, reason);
  if (!left_out) return;
  const auto [event, cause] = describe(reason);
  LogLine(spdlog::level::warn, event)
      .with("client", row_.source().to_string())
      .with("cause", cause)
      .with("lines_left_out", *left_out);
}

/// As Go's server does, and as people expect who have written http://.
void Connection::answer_plain_http() {
  worker_.reply.clear();
  append_reply(worker_.reply, plain_reply(400, "this port expects HTTPS"), {.keep_alive = false});
  error_code ignored;
  socket_.write_some(asio::buffer(worker_.reply.data(), worker_.reply.size()), ignored);
}

}  // namespace winadmit::server
