// The requests of a connection.
#include <boost/asio/redirect_error.hpp>
#include <chrono>
#include <memory>
#include <new>
#include <utility>

#include "server/telemetry/log.hpp"
#include "server/transport/connection.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::server {
namespace {

/// A connection with a body of at most this size does not get large: in addition it has space for
/// the next record, and a part of that.
constexpr std::size_t kSmallBody = kLargeBytes - 2 * TlsStream::kRecordSize;

/// After this many bytes a large body is arriving, and gets its memory.
constexpr std::size_t kArrivingBytes = TlsStream::kRecordSize;

/// How often a request that waits for memory tries to get it.
constexpr std::chrono::milliseconds kRetryInterval{10};

BadRequestReason reason_of(int status) {
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

HttpRequest to_request(const RequestHeader& header, std::string_view body,
                       Clock::time_point received) {
  return {.method = header.method,
          .target = header.target,
          .content_type = header.content_type,
          .body = body,
          .received = received};
}

ReplyOptions reply_options(const RequestHeader& header) {
  return {.keep_alive = header.keep_alive,
          .is_http_1_0 = header.is_http_1_0,
          .omit_body = header.method == "HEAD"};
}

/// False also if the system has no memory: it may have some later.
bool try_reserve(ReceiveBuffer& buffer, std::size_t count) {
  try {
    return buffer.reserve(count);
  } catch (const std::bad_alloc&) {
    return false;
  }
}

}  // namespace

Task<Connection::Next> Connection::serve_request() {
  RequestParser parser(worker_.limits.http);
  auto received = ready_since_;  // the last byte
  std::size_t searched = 0;
  std::optional<std::size_t> size;
  while (!(size = find_header_end(in_.bytes(), searched)) && !is_over_header_limit(in_.size())) {
    searched = in_.size();
    if (const auto next = co_await read_more(received)) co_return *next;
  }
  if (const auto error = parse_header(parser, size)) co_return send_error(*error);
  const RequestHeader& header = parser.header();
  const std::chrono::milliseconds most = worker_.limits.request_timeout;
  timeout_ = std::min(parse_timeout(header.target).value_or(most), most);
  shorten_deadline(ready_since_ + timeout_);
  if (header.expects_continue) {
    if (const auto next = co_await answer_expectation(header)) co_return *next;
  }
  if (header.chunked) {
    if (const auto next = co_await read_chunks(parser, received)) co_return *next;
  } else if (in_.size() < header.content_length) {
    if (const auto next = co_await read_body(header.content_length, received)) co_return *next;
  }
  const std::string_view body =
      header.chunked ? chunks_->bytes() : in_.bytes().substr(0, header.content_length);
  const HttpRequest request = to_request(header, body, received);
  Next next = Next::abort;
  if (body.size() > kLargeBytes) {
    next = co_await handle_large(request, reply_options(header));
  } else {
    next = handle(request, reply_options(header));
  }
  release_body(header);
  co_return next;
}

/// `size`: that of the header, if all of it is there.
std::optional<HttpError> Connection::parse_header(RequestParser& parser,
                                                  std::optional<std::size_t> size) {
  if (is_over_header_limit(size.value_or(in_.size())))
    return header_limit_error(worker_.limits.http);
  if (auto error = parser.parse_header(in_.bytes().substr(0, *size))) return error;
  in_.consume(*size);
  return std::nullopt;
}

/// Waits for more bytes of the request, and appends them to in_.
Task<std::optional<Connection::Next>> Connection::read_more(Clock::time_point& received) {
  const error_code error = read_result(co_await stream_->read(in_));
  if (error) co_return fail_request(error);
  received = Clock::now();
  co_return std::nullopt;
}

/// Sends "100 Continue", or rejects the request by its header before the client sends the body.
/// Without an expectation the client sends the body anyway, so it must be read first.
Task<std::optional<Connection::Next>> Connection::answer_expectation(const RequestHeader& header) {
  if (const auto refusal =
          refuse_by_header(to_request(header, {}, ready_since_), worker_.metrics)) {
    ReplyOptions options = reply_options(header);
    options.keep_alive = false;
    co_return send_reply(*refusal, options);
  }
  stream_->write("HTTP/1.1 100 Continue\r\n\r\n");
  if (stream_->unsent() > 0 && !co_await flush()) co_return Next::abort;
  co_return std::nullopt;
}

/// Reads a body of `size` bytes into in_.
Task<std::optional<Connection::Next>> Connection::read_body(std::size_t size,
                                                            Clock::time_point& received) {
  in_.set_expected_size(size);
  bool has_memory = size <= kSmallBody;
  while (in_.size() < size) {
    if (!has_memory && in_.size() >= kArrivingBytes) {
      // While it decrypts, the stream needs more space than the content takes.
      const std::size_t rest = size - in_.size() + worker_.scratch().size();
      if (const auto error = co_await reserve_large(in_, rest)) co_return fail_request(error);
      has_memory = true;
    }
    if (const auto next = co_await read_more(received)) co_return next;
  }
  co_return std::nullopt;
}

/// Reads a chunked body into chunks_. Clients rarely send one. With so many bytes that it may get
/// large, it reserves what the largest one needs.
Task<std::optional<Connection::Next>> Connection::read_chunks(RequestParser& parser,
                                                              Clock::time_point& received) {
  const std::size_t max_size = worker_.limits.http.max_body;
  // With the rest of the last chunk and what one read adds, neither buffer doubles beyond this.
  in_.set_expected_size(worker_.scratch().size() + worker_.limits.http.max_header);
  chunks_ = std::make_unique<ReceiveBuffer>(row_);
  chunks_->set_expected_size(kLargeBytes / 2);
  bool has_memory = max_size <= kLargeBytes;
  for (;;) {
    if (const auto error = parser.parse_chunks(in_, *chunks_)) co_return send_error(*error);
    if (parser.is_body_complete()) co_return std::nullopt;
    if (!has_memory && chunks_->size() >= kLargeBytes / 4) {
      const std::size_t rest = max_size - chunks_->size();
      if (const auto error = co_await reserve_large(*chunks_, rest)) co_return fail_request(error);
      has_memory = true;
    }
    if (const auto next = co_await read_more(received)) co_return next;
  }
}

/// Reserves `count` bytes more for a large request. If there is no memory for them, the request
/// waits for its turn: for half of its time, as it needs the rest to arrive. Meanwhile it keeps
/// what it has read.
Task<error_code> Connection::reserve_large(ReceiveBuffer& buffer, std::size_t count) {
  const auto began = Clock::now();
  const auto give_up = began + (deadline_ - began) / 2;
  Timer timer(worker_.loop);
  row_.wait_for_large_turn();
  bool has_memory = false;
  error_code error;
  while (!error && !has_memory) {
    has_memory = row_.has_large_turn() && try_reserve(buffer, count);
    if (has_memory) break;
    in_.shrink();  // others may wait for what a pipelined request has of the one before it
    timer.expires_after(kRetryInterval);
    error_code ignored;
    co_await timer.async_wait(asio::redirect_error(use_task, ignored));
    error = read_result(Clock::now() >= give_up ? asio::error::no_buffer_space : error_code());
  }
  row_.end_large_turn(has_memory);
  co_return error;
}

/// Sends a late request a refusal: its client does not wait for the answer any more.
Connection::Next Connection::handle(const HttpRequest& request, ReplyOptions options) {
  if (Clock::now() >= deadline_) return send_answer(worker_.handler.refuse_late(), options);
  return send_answer(worker_.handler.handle(request), options);
}

Task<Connection::Next> Connection::handle_large(const HttpRequest& request, ReplyOptions options) {
  state_ = State::handling;
  row_.pin(true);
  const HttpReply reply = co_await worker_.large_reviews.handle(request, deadline_);
  row_.pin(false);
  state_ = State::receiving;
  co_return send_answer(reply, options);
}

/// The handler answers with 200 only to a review.
Connection::Next Connection::send_answer(const HttpReply& reply, ReplyOptions options) {
  const Next next = send_reply(reply, options);
  if (reply.status == 200) row_.trust();
  return next;
}

void Connection::release_body(const RequestHeader& header) {
  if (header.chunked) {
    chunks_.reset();
  } else {
    in_.consume(header.content_length);
    if (row_.is_large()) in_.shrink();  // to the beginning of a pipelined request
  }
}

/// Usually the socket takes the whole reply. Otherwise flush() sends the rest.
Connection::Next Connection::send_reply(const HttpReply& reply, ReplyOptions options) {
  if (!reply.is_logged) log_refusal(reply);
  options.keep_alive = options.keep_alive && !worker_.closes_after_replies;
  worker_.reply.clear();
  append_reply(worker_.reply, reply, options);
  stream_->write({worker_.reply.data(), worker_.reply.size()});
  release_if_large(worker_.reply);
  return options.keep_alive ? Next::request : Next::close;
}

void Connection::log_refusal(const HttpReply& reply) {
  if (is_closed_) return;  // and has no source
  const auto left_out = next_line(worker_.refused_request_logs, reply.status);
  if (!left_out) return;
  LogLine(spdlog::level::warn, "a request is refused")
      .with("status", reply.status)
      .with("cause", reply.text().substr(0, reply.text().find('\n')))
      .with("client", row_.source().to_string())
      .with("lines_left_out", *left_out);
}

/// Closes the connection: it is unknown where the next request would begin.
Connection::Next Connection::send_error(const HttpError& error) {
  worker_.metrics.bad_request(reason_of(error.status)).add();
  return send_reply(plain_reply(error.status, error.message), {.keep_alive = false});
}

/// Handles an error of read_result() within a request.
Connection::Next Connection::fail_request(const error_code& error) {
  const bool is_aborted = error != asio::error::no_buffer_space && !is_closed_;
  if (is_aborted) worker_.metrics.bad_request(BadRequestReason::aborted).add();
  return fail(error);
}

/// A client that has ended its session gets the end of that of the server (RFC 8446, 6.1).
Connection::Next Connection::fail(const error_code& error) {
  if (error == asio::error::no_buffer_space) return send_error(overload_error());
  return error == asio::error::eof ? Next::close : Next::abort;
}

/// Sends what the socket has not taken. Returns false if the connection is closed.
Task<bool> Connection::flush() {
  const error_code error = co_await stream_->flush();
  // The rest of the reply may not wait in memory.
  if (error == asio::error::no_buffer_space) worker_.metrics.refusals.for_memory.add();
  co_return !error && !is_closed_;
}

bool Connection::is_over_header_limit(std::size_t size) const {
  return size > worker_.limits.http.max_header;
}

/// The error of a read, or what happened to the connection while it waited: no_buffer_space if its
/// memory was reclaimed.
error_code Connection::read_result(const error_code& error) const {
  if (is_closed_) return asio::error::operation_aborted;
  if (is_memory_reclaimed_) return asio::error::no_buffer_space;
  return error;
}

}  // namespace winadmit::server
