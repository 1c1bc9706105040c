#include "server/transport/connection.hpp"

#include <poll.h>

#include <algorithm>
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

void Connection::serve_turn(std::unique_ptr<Connection> connection) {
  if (connection->is_closed_) return;
  connection->state_ = State::turn;
  if (connection->has_client_given_up(Clock::now())) {
    return connection->worker_.metrics.bad_request(BadRequestReason::aborted).add();
  }
  spawn(std::move(connection), &Connection::take_turn);
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

/// Runs a coroutine of the connection, then waits for what it wants.
void Connection::spawn(std::unique_ptr<Connection> connection, Task<Next> (Connection::*task)()) {
  Worker& worker = connection->worker_;
  spawn_connection_task(
      worker.loop,
      [](std::unique_ptr<Connection> self, auto run_task) -> Task<void> {
        const Next next = co_await (self.get()->*run_task)();
        if (next == Next::request) wait_for_request(std::move(self));
        if (next == Next::turn) wait_for_turn(std::move(self));
      }(std::move(connection), task),
      worker.metrics.bad_request(BadRequestReason::internal));
}

/// Waits without a coroutine, whose frames take 2 KB: with 4,096 idle connections the server has
/// 70 MB instead of 78 MB.
void Connection::wait_for_request(std::unique_ptr<Connection> connection) {
  Socket& socket = connection->socket_;
  socket.async_wait(Socket::wait_read,
                    [connection = std::move(connection)](const error_code&) mutable {
                      if (!connection->is_closed_) wait_for_turn(std::move(connection));
                    });
}

void Connection::wait_for_turn(std::unique_ptr<Connection> connection) {
  connection->state_ = State::ready;
  connection->ready_since_ = Clock::now();
  RequestQueue& queue = connection->worker_.requests;
  queue.push(std::move(connection));
}

Connection::Connection(Socket socket, const asio::ip::address& client, TlsContext context,
                       Worker& worker)
    : TrackedConnection(worker.connections, client),
      worker_(worker),
      socket_(std::move(socket)),
      context_(std::move(context)),
      in_(*this),
      chunks_(*this),
      timeout_(kShortestTimeout) {
  enter(State::connected, worker.limits.handshake_timeout);
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
  if (state_ == State::ready) return check_wait(now);
  if (now < deadline_) return;
  if (state_ == State::handling) return;  // the large review thread checks the deadline
  if (state_ == State::idle && has_made_request() && !is_finishing_) return finish();
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
  is_finishing_ = true;
  const bool is_between_requests =
      state_ == State::idle || state_ == State::ready || state_ == State::turn;
  if (is_between_requests || !has_made_request()) {
    shorten_deadline(Clock::now() + kLastRequestTimeout);
  }
  if (state_ != State::idle || !has_made_request()) return;
  // read_and_serve() ends the TLS session. A client that sends a request just now sees an orderly
  // end, not a reset. Go repeats the request if it has sent nothing of it.
  error_code ignored;
  socket_.cancel(ignored);
}

void Connection::evict(std::string_view limit) {
  log_at_limit(worker_.eviction_logs, kEvicted, limit);
  close();
}

/// The reply to a request that is being received becomes 503. In other states the connection is
/// closed.
void Connection::reclaim_memory() {
  log_at_limit(worker_.eviction_logs, kEvicted, "memory");
  if (state_ != State::receiving || is_memory_reclaimed_) return close();
  is_memory_reclaimed_ = true;
  clear_buffers();
  error_code ignored;
  socket_.cancel(ignored);
}

/// Closes the connection at once. Its owner wakes up and destroys it. A queue destroys it now.
void Connection::close() {
  const bool waits_for_handshake = state_ == State::queued;
  const bool waits_for_turn = state_ == State::ready;
  const bool is_queued = waits_for_handshake || waits_for_turn;
  const asio::ip::address client = is_queued ? source() : asio::ip::address();
  is_closed_ = true;
  stop_tracking();
  clear_buffers();
  error_code ignored;
  socket_.close(ignored);
  // Last, as it destroys this.
  if (waits_for_handshake) return worker_.handshakes.remove(*this, client);
  if (waits_for_turn) worker_.requests.remove(*this, client);
}

void Connection::clear_buffers() {
  in_.clear();
  chunks_.clear();
}

/// Returns what comes next: a wait for the socket, or a turn if there is something to do before.
/// There is if the connection may not reserve what its stream keeps while it waits.
Connection::Next Connection::become_idle() {
  if (state_ == State::turn) {
    state_ = State::idle;  // no request has begun: the deadline stays
  } else {
    enter(State::idle, is_finishing_ ? kLastRequestTimeout : worker_.limits.idle_timeout);
  }
  if (!in_.empty() || !stream_->reserve_buffers() || stream_->is_readable()) return Next::turn;
  return ends_before_next_request() ? Next::turn : Next::request;
}

/// Whether the connection finishes, and no request has begun to arrive. A new connection may still
/// make its first one.
bool Connection::ends_before_next_request() const {
  return is_finishing_ && has_made_request() && !stream_->has_part_of_record();
}

void Connection::log_at_limit(std::map<std::string_view, LogLimit>& logs, std::string_view event,
                              std::string_view limit) const {
  try {
    const auto left_out = next_line(logs, limit);
    if (!left_out) return;
    LogLine(spdlog::level::warn, event)
        .with("limit", limit)
        .with("client", source().to_string())
        .with("lines_left_out", *left_out);
  } catch (const std::bad_alloc&) {  // the metrics count it
  }
}

Task<Connection::Next> Connection::take_turn() {
  const Next next = co_await read_and_serve();
  if (is_closed_) co_return Next::abort;
  if (stream_->unsent() > 0) {
    state_ = State::sending;
    if (!co_await flush()) co_return Next::abort;
  }
  if (next == Next::request) co_return become_idle();
  if (next == Next::close) co_await close_gracefully(kMaxLingerBytes);
  co_return Next::abort;
}

/// Serves a request if bytes of one have arrived.
Task<Connection::Next> Connection::read_and_serve() {
  error_code error;
  if (in_.empty()) error = stream_->read_available(in_);
  if (in_.empty() && !error) {  // a part of a TLS record, or finish() was called
    error = co_await stream_->prepare_to_wait();
    if (ends_before_next_request()) co_return Next::close;
    if (!error) co_return Next::request;
  }
  if (is_closed_) co_return Next::abort;
  mark_used();
  state_ = State::receiving;
  deadline_ = ready_since_ + worker_.limits.request_timeout;
  if (error) co_return fail(error);
  co_return co_await serve_request();
}

/// Discards up to `max_bytes` that the client still sends.
Task<void> Connection::close_gracefully(std::size_t max_bytes) {
  enter(State::closing, kLingerTimeout);
  clear_buffers();
  co_await stream_->lingering_close(max_bytes);
}

}  // namespace winadmit::server
