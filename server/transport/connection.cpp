#include "server/transport/connection.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>
#include <utility>

#include "server/telemetry/log.hpp"
#include "server/transport/spawn.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::server {
namespace {

/// How long, and how much, a client that is refused may still send before it is cut off.
constexpr std::chrono::seconds kLinger{2};
constexpr std::size_t kLingerBytes = 16 * 1024 * 1024;

/// How long a new client has for its first request once the server drains.
constexpr std::chrono::seconds kLastChance{1};

BadRequestReason fault_of(int status) {
  switch (status) {
    case 413:
      return BadRequestReason::too_large;
    case 431:
      return BadRequestReason::header_too_large;
    case 503:
      return BadRequestReason::busy;
    default:
      return BadRequestReason::bad_http;
  }
}

HttpRequest to_request(const RequestHead& head, std::string_view body) {
  return {.method = head.method,
          .target = head.target,
          .content_type = head.content_type,
          .body = body.data(),
          .size = body.size()};
}

ReplyForm form_of_reply(const RequestHead& head) {
  return {.keep_alive = head.keep_alive, .without_body = head.method == "HEAD"};
}

}  // namespace

void Connection::start(Socket socket, TlsContext context, Worker& worker) {
  error_code error;
  const auto address = socket.remote_endpoint(error).address();
  if (error) return;  // gone already
  auto made = std::make_unique<Connection>(std::move(socket), address, std::move(context), worker);
  Socket& waiting = made->socket_;
  waiting.async_wait(Socket::wait_read, [made = std::move(made)](const error_code& failed) mutable {
    error_code none;
    // What becomes readable without a byte has been closed: a look at the port, no handshake.
    if (failed || made->is_cut_ || made->socket_.available(none) == 0) return;
    made->state_ = State::queued;
    HandshakeQueue& queue = made->worker_.handshakes;
    queue.push(std::move(made));
  });
}

void Connection::serve(std::unique_ptr<Connection> connection) {
  Worker& worker = connection->worker_;
  connection->state_ = State::handshake;
  connection->begin_handshake();
  spawn_for_client(
      worker.loop,
      [](std::unique_ptr<Connection> self) -> Task<void> {
        co_await self->run();
      }(std::move(connection)),
      worker.metrics.bad_request(BadRequestReason::internal));
}

Connection::Connection(Socket socket, const asio::ip::address& address, TlsContext context,
                       Worker& worker)
    : Client(worker.clients, address),
      worker_(worker),
      socket_(std::move(socket)),
      context_(std::move(context)),
      in_(*this),
      chunks_(*this),
      deadline_(Clock::now() + worker.limits.handshake) {
  worker_.metrics.connections_opened.add();
}

Connection::~Connection() { worker_.metrics.connections_closed.add(); }

void Connection::check_deadline(Clock::time_point now) {
  if (now < deadline_) return;
  if (state_ == State::judging) return;  // the reply is on its way
  if (state_ == State::receiving || state_ == State::replying) {
    worker_.metrics.bad_request(BadRequestReason::timeout).add();
  }
  if (state_ == State::handshake) worker_.metrics.handshake_failures.add();
  cut();
}

void Connection::drain() {
  is_draining_ = true;
  error_code ignored;
  if (state_ == State::idle && is_regular()) {
    // The session ends in order. So a client whose request is on its way sees the end, not a reset,
    // and asks another server.
    socket_.cancel(ignored);
  } else if (state_ == State::silent && socket_.available(ignored) == 0) {
    cut();
  } else if (!is_regular()) {
    deadline_ = std::min(deadline_, Clock::now() + kLastChance);
  }
}

void Connection::evict() { cut(); }

/// A client that is sending a request is told, where no reply is under way.
void Connection::drop_bytes() {
  if (state_ != State::receiving || is_dropped_) return cut();
  is_dropped_ = true;
  in_.clear();
  chunks_.clear();
  error_code ignored;
  socket_.cancel(ignored);
}

/// Ends the connection: gives up what it has, and wakes whoever owns it.
void Connection::cut() {
  is_cut_ = true;
  leave();
  in_.clear();
  chunks_.clear();
  error_code ignored;
  socket_.close(ignored);
  if (state_ == State::queued) worker_.handshakes.remove(*this);  // the last: it destroys this
}

Task<void> Connection::run() {
  stream_ = std::make_unique<TlsStream>(socket_, context_.get(), worker_.scratch(), *this);
  const error_code error = co_await stream_->handshake();
  end_handshake();
  worker_.handshakes.begin_one();
  if (!error && !is_cut_) {
    co_await serve_requests();
  } else if (!is_cut_) {
    worker_.metrics.handshake_failures.add();
    LogLine(spdlog::level::debug, "TLS handshake failed").with("error", error.message());
  }
}

Task<void> Connection::serve_requests() {
  Next next = Next::request;
  while (next == Next::request) {
    std::optional<HttpError> error;
    if (in_.empty()) error = co_await wait_for_request();
    if (in_.empty() && !error) break;
    touch();
    state_ = State::receiving;
    deadline_ = Clock::now() + worker_.limits.request;
    // Not by ?:, of which gcc 12 takes both sides where one waits.
    if (error) {
      next = refuse(*error);
    } else {
      next = co_await serve_request();
    }
    if (is_cut_) co_return;
    if (stream_->unsent() > 0 && !co_await flush()) co_return;
    if (next == Next::request && !in_.empty()) {  // pipelined: the others first
      state_ = State::replying;
      co_await asio::post(worker_.loop, use_task);
      if (is_cut_) co_return;
    }
  }
  if (next == Next::gone) co_return;
  state_ = State::closing;
  in_.clear();
  chunks_.clear();
  deadline_ = Clock::now() + kLinger;
  co_await stream_->close(kLingerBytes);
}

/// Until the first bytes of a request are there, or the server drains and there is none.
Task<std::optional<HttpError>> Connection::wait_for_request() {
  state_ = State::idle;
  const bool is_last_chance = is_draining_ && !is_regular();
  deadline_ = Clock::now() + (is_last_chance ? kLastChance : worker_.limits.idle);
  while (in_.empty()) {
    if (is_draining_ && is_regular()) {
      // What has arrived meanwhile is served.
      const error_code error = stream_->read_now(in_);
      if (in_.empty()) co_return to_http_error(error);
      break;
    }
    const error_code error = co_await stream_->read(in_);
    if (error == asio::error::operation_aborted && is_draining_ && !is_cut_) continue;
    if (error) co_return to_http_error(error);
  }
  co_return to_http_error({});
}

Task<Connection::Next> Connection::serve_request() {
  const auto start = Clock::now();
  RequestParser parser(worker_.limits.http);
  std::size_t searched = 0;
  std::optional<std::size_t> head_size;
  while (!(head_size = find_head_end(in_.bytes(), searched)) && !is_over_head_limit(in_.size())) {
    searched = in_.size();
    if (const auto error = to_http_error(co_await stream_->read(in_))) co_return refuse(*error);
  }
  if (is_over_head_limit(head_size.value_or(in_.size()))) {
    co_return refuse(head_limit_error(worker_.limits.http));
  }
  if (const auto error = parser.parse_head(in_.bytes().substr(0, *head_size))) {
    co_return refuse(*error);
  }
  in_.consume(*head_size);
  const RequestHead& head = parser.head();
  if (const auto timeout = timeout_of(head.target)) {
    deadline_ = std::min(deadline_, start + *timeout);
  }
  // Whoever asks first is not asked for a body that is refused. Any other body is on its way, and
  // the next request is behind it.
  if (head.expects_continue) {
    const HttpRequest request{
        .method = head.method, .target = head.target, .content_type = head.content_type};
    if (const auto refusal = refuse_by_head(request, worker_.metrics)) {
      co_return reply(*refusal, {.keep_alive = false, .without_body = head.method == "HEAD"});
    }
    stream_->write("HTTP/1.1 100 Continue\r\n\r\n");
    if (stream_->unsent() > 0 && !co_await flush()) co_return Next::gone;
  }
  if (head.chunked) co_return co_await serve_chunked(parser);

  in_.expect(head.content_length);
  while (in_.size() < head.content_length) {
    if (const auto error = to_http_error(co_await stream_->read(in_))) co_return refuse(*error);
  }
  const std::string_view body = in_.bytes().substr(0, head.content_length);
  Next next = Next::gone;
  if (body.size() > LargeReviews::kSize) {
    next = co_await judge_large(head, body);
  } else {
    next = judge(head, body);
  }
  in_.consume(head.content_length);
  co_return next;
}

/// The rare case: a body without a length, whose chunks are put together elsewhere.
Task<Connection::Next> Connection::serve_chunked(RequestParser& parser) {
  chunks_.expect(worker_.limits.http.body);
  for (;;) {
    if (const auto error = parser.parse_chunks(in_, chunks_)) co_return refuse(*error);
    if (parser.is_body_complete()) break;
    if (const auto error = to_http_error(co_await stream_->read(in_))) co_return refuse(*error);
  }
  Next next = Next::gone;
  if (chunks_.size() > LargeReviews::kSize) {
    next = co_await judge_large(parser.head(), chunks_.bytes());
  } else {
    next = judge(parser.head(), chunks_.bytes());
  }
  chunks_.clear();
  co_return next;
}

Connection::Next Connection::judge(const RequestHead& head, std::string_view body) {
  return reply(worker_.handler.handle(to_request(head, body)), form_of_reply(head));
}

Task<Connection::Next> Connection::judge_large(const RequestHead& head, std::string_view body) {
  state_ = State::judging;
  pin();
  const HttpReply made = co_await worker_.large_reviews.handle(to_request(head, body), deadline_);
  unpin();
  state_ = State::receiving;
  co_return reply(made, form_of_reply(head));
}

/// Most replies are gone when this returns. Otherwise flush() sends the rest.
Connection::Next Connection::reply(const HttpReply& reply, ReplyForm form) {
  form.keep_alive = form.keep_alive && !worker_.closes_after_replies;
  worker_.reply.clear();
  append_reply(worker_.reply, reply, form);
  stream_->write({worker_.reply.data(), worker_.reply.size()});
  return form.keep_alive ? Next::request : Next::close;
}

/// After what is not HTTP, or too much of it, it is not safe to read on.
Connection::Next Connection::refuse(const HttpError& error) {
  if (error.status == 0) return Next::gone;
  worker_.metrics.bad_request(fault_of(error.status)).add();
  return reply(plain_reply(error.status, error.line), {.keep_alive = false});
}

/// Sends what the socket did not take. False: the client has gone.
Task<bool> Connection::flush() {
  state_ = State::replying;
  const error_code error = co_await stream_->flush();
  state_ = State::receiving;
  co_return !error && !is_cut_;
}

bool Connection::is_over_head_limit(std::size_t size) const {
  return size > worker_.limits.http.header;
}

/// What the end of a read means. A status of 0: the client has gone, there is nobody to tell.
std::optional<HttpError> Connection::to_http_error(const error_code& error) const {
  if (is_cut_) return HttpError{0, {}};
  if (is_dropped_ || error == asio::error::no_buffer_space) return busy_error();
  if (error) return HttpError{0, {}};
  return std::nullopt;
}

}  // namespace winadmit::server
