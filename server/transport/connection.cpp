#include "server/transport/connection.hpp"

#include <poll.h>

#include <algorithm>
#include <exception>
#include <new>
#include <utility>

#include "server/telemetry/log.hpp"
#include "server/transport/spawn.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::server {
namespace {

/// How long, and how much, a client may still send after the last reply.
constexpr std::chrono::seconds kLingerTimeout{2};
constexpr std::size_t kMaxLingerBytes = 16 * 1024 * 1024;

/// The shortest timeout that a webhook may have. No client leaves earlier because it is late.
constexpr std::chrono::seconds kShortestTimeout{1};

/// How long a connection may take for its last request while the server drains.
constexpr std::chrono::seconds kLastRequestTimeout{1};

constexpr std::string_view kEvicted = "a connection is closed to make room for others";

}  // namespace

Connection& Connection::start(Socket socket, const asio::ip::address& client, TlsContext context,
                              Worker& worker) {
  auto made = std::make_unique<Connection>(std::move(socket), client, worker);
  Connection& connection = *made;
  live(std::move(made), std::move(context));
  return connection;
}

/// Everything that happens to a connection, in order.
SelfOwned Connection::live(std::unique_ptr<Connection> self, TlsContext context) {
  try {
    do {
      co_await self->wait_for_bytes();
    } while (!self->is_closed_ && !self->has_begun());
    if (self->is_closed_) co_return;
    self->state_ = State::queued;
    co_await self->worker_.turns.wait_for_handshake(self->row_);
    if (self->is_closed_) co_return;
    for (Task<Next> work = self->shake_hands(context.get());; work = self->take_turn()) {
      const Next next = co_await self->run(std::move(work));
      if (next == Next::abort) co_return;
      // Here, as it may have begun to finish, with nothing to cancel, since the task has ended.
      const bool waits = next == Next::request && !self->ends_before_next_request();
      if (waits) co_await self->wait_for_bytes();
      if (self->is_closed_) co_return;
      self->become_ready();
      co_await self->worker_.turns.wait_for_request(self->row_,
                                                    self->ready_since_ + self->timeout_ / 2);
      if (self->is_closed_) co_return;
    }
  } catch (...) {
    report_failed_connection(std::current_exception(),
                             self->worker_.metrics.bad_request(BadRequestReason::internal));
  }
}

/// Whether there is a byte, as Asio may report a stale event: that of a closed socket whose state
/// it reuses. A client that closes the connection without one, like a TCP probe, does not fail a
/// handshake.
bool Connection::has_begun() {
  char byte = 0;
  error_code error;
  socket_.receive(asio::buffer(&byte, 1), Socket::message_peek, error);
  if (error == asio::error::would_block) return false;
  if (error) close();
  return true;
}

/// Whether the client has closed its end. Bytes that it has sent before may still be unread.
bool Connection::has_client_left() {
  pollfd socket{.fd = socket_.native_handle(), .events = POLLRDHUP, .revents = 0};
  return ::poll(&socket, 1, 0) > 0;
}

/// Whether the client has waited long and closed its end, like one whose timeout has passed. Go's
/// server, too, abandons the request of a client that does.
bool Connection::has_client_given_up(Clock::time_point now) {
  return now - ready_since_ >= kShortestTimeout && has_client_left();
}

Connection::Connection(Socket socket, const asio::ip::address& client, Worker& worker)
    : worker_(worker),
      row_(worker.table, client, *this),
      socket_(std::move(socket)),
      in_(row_),
      timeout_(kShortestTimeout) {
  enter(State::connected, worker.limits.handshake_timeout);
  worker_.connections.push_back(*this);
  worker_.metrics.connections_opened.add();
}

Connection::~Connection() { worker_.metrics.connections_closed.add(); }

void Connection::enter(State state, Clock::duration timeout) {
  state_ = state;
  deadline_ = Clock::now() + timeout;
}

void Connection::shorten_deadline(Clock::time_point deadline) {
  deadline_ = std::min(deadline_, deadline);
}

void Connection::check_deadline(Clock::time_point now) {
  if (is_closed_) return;
  if (state_ == State::ready) return check_wait(now);
  if (now < deadline_) return;
  if (state_ == State::handling) return;  // the large review thread checks the deadline
  if (state_ == State::idle && has_made_request_ && !is_finishing_) return finish();
  if (state_ == State::receiving) worker_.metrics.bad_request(BadRequestReason::timeout).add();
  if (state_ == State::queued) {
    worker_.metrics.refusals.in_handshake_queue.add();
    log_at_limit(worker_.refusal_logs, kNotServed, "handshakes");
  }
  if (state_ == State::handshake) {
    worker_.metrics.handshake_failure(HandshakeFailure::other).add();
  }
  close();
}

/// A request that is late is refused in its turn. Its connection is closed before that if the
/// client has left: beyond capacity, those would be many.
void Connection::check_wait(Clock::time_point now) {
  if (!has_client_given_up(now)) return;
  worker_.metrics.bad_request(BadRequestReason::aborted).add();
  close();
}

void Connection::finish() {
  if (is_closed_) return;
  is_finishing_ = true;
  const bool is_between_requests =
      state_ == State::idle || state_ == State::ready || state_ == State::turn;
  if (is_between_requests || !has_made_request_) {
    shorten_deadline(Clock::now() + kLastRequestTimeout);
  }
  if (state_ != State::idle || !has_made_request_) return;
  // take_turn() ends the TLS session. A client that sends a request just now sees an orderly
  // end, not a reset. Go repeats the request if it has sent nothing of it.
  error_code ignored;
  socket_.cancel(ignored);
}

/// For memory, the reply to a request that is being received becomes 503.
void Connection::end_for(std::string_view limit) {
  log_at_limit(worker_.eviction_logs, kEvicted, limit);
  const bool is_for_memory = limit == "memory";
  if (!is_for_memory || state_ != State::receiving || is_memory_reclaimed_) return close();
  is_memory_reclaimed_ = true;
  clear_buffers();
  error_code ignored;
  socket_.cancel(ignored);
}

/// Closes the connection at once. Its coroutine wakes up and ends.
void Connection::close() {
  is_closed_ = true;
  row_.leave();
  clear_buffers();
  error_code ignored;
  socket_.close(ignored);
  worker_.turns.resume_ended(row_);
}

void Connection::clear_buffers() {
  in_.clear();
  if (chunks_) chunks_->clear();
}

/// Returns what comes next: a wait for the socket, or a turn if there is something to do before.
/// There is if the connection may not reserve what its stream keeps while it waits.
Connection::Next Connection::become_idle() {
  const bool follows_request = state_ != State::turn;
  if (follows_request) {
    enter(State::idle, is_finishing_ ? kLastRequestTimeout : worker_.limits.idle_timeout);
    if (has_made_request_) row_.rest();
  } else {
    state_ = State::idle;  // no request has begun: the deadline stays
  }
  if (!in_.empty() || !stream_->reserve_buffers() || stream_->is_readable()) return Next::turn;
  // What a part of a record holds can be reclaimed from one that is in the middle of something.
  if (row_.holds_bytes()) {
    row_.end_rest();
  } else if (has_made_request_ && !follows_request) {
    row_.rest();
  }
  return Next::request;
}

void Connection::become_ready() {
  state_ = State::ready;
  ready_since_ = Clock::now();
  row_.end_rest();
}

/// Whether the connection finishes, and no request has begun to arrive. A new connection may still
/// make its first one.
bool Connection::ends_before_next_request() const {
  return is_finishing_ && has_made_request_ && !stream_->has_part_of_record();
}

void Connection::log_at_limit(std::map<std::string_view, LogLimit>& logs, std::string_view event,
                              std::string_view limit) const {
  try {
    const auto left_out = next_line(logs, limit);
    if (!left_out) return;
    LogLine(spdlog::level::warn, event)
        .with("limit", limit)
        .with("client", row_.source().to_string())
        .with("lines_left_out", *left_out);
  } catch (const std::bad_alloc&) {  // the metrics count it
  }
}

/// Serves a request if bytes of one have arrived, unless its client has given up.
Task<Connection::Next> Connection::take_turn() {
  if (has_client_given_up(Clock::now())) {
    worker_.metrics.bad_request(BadRequestReason::aborted).add();
    co_return Next::abort;
  }
  state_ = State::turn;
  error_code error;
  Next next = Next::request;
  if (in_.empty()) error = stream_->read_available(in_);
  // A part of a TLS record, or finish() was called.
  const bool has_no_request = in_.empty() && !error;
  if (has_no_request) error = co_await stream_->prepare_to_wait();
  if (is_closed_) co_return Next::abort;
  if (has_no_request && ends_before_next_request()) {
    next = Next::close;
  } else if (!has_no_request || error) {
    has_made_request_ = true;
    state_ = State::receiving;
    deadline_ = ready_since_ + worker_.limits.request_timeout;
    if (error) {
      next = fail(error);
    } else {
      next = co_await serve_request();
    }
  }
  if (is_closed_) co_return Next::abort;
  if (stream_->unsent() > 0) {
    state_ = State::sending;
    if (!co_await flush()) co_return Next::abort;
  }
  if (next == Next::request) co_return become_idle();
  if (next == Next::close) co_await close_gracefully(kMaxLingerBytes);
  co_return Next::abort;
}

/// Discards up to `max_bytes` that the client still sends.
Task<void> Connection::close_gracefully(std::size_t max_bytes) {
  enter(State::closing, kLingerTimeout);
  clear_buffers();
  co_await stream_->lingering_close(max_bytes);
}

}  // namespace winadmit::server
