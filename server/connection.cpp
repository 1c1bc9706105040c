#include "server/connection.hpp"

#include <algorithm>
#include <boost/beast/http/error.hpp>
#include <cstring>
#include <utility>

#include "server/log.hpp"

namespace winadmit::server {
namespace {

namespace http = boost::beast::http;

/// Blocks that a thread keeps for the next requests.
constexpr std::size_t kSpareBlocks = 4;

/// So many connections of a thread keep their TLS records' memory (33 KB each) while they are idle:
/// 4 % of a small request's time. API servers hold a handful; what comes in masses gives it back.
constexpr std::size_t kFewConnections = 32;

/// How long, and how much, a client that is refused may still talk before it is cut off.
constexpr std::chrono::seconds kGoodbye{2};
constexpr std::size_t kGoodbyeBytes = 16 * 1024 * 1024;

}  // namespace

std::unique_ptr<char[]> ArrivalMemory::take() {
  if (spare_.empty()) {
    return std::make_unique_for_overwrite<char[]>(kBlock + simdjson::SIMDJSON_PADDING);
  }
  auto block = std::move(spare_.back());
  spare_.pop_back();
  return block;
}

void ArrivalMemory::give_back(std::unique_ptr<char[]> block) {
  if (spare_.size() < kSpareBlocks) spare_.push_back(std::move(block));
}

bool ArrivalMemory::Share::take(std::size_t size) {
  if (size > memory_.left_for_large_) return false;
  memory_.left_for_large_ -= size;
  size_ = size;
  return true;
}

void ArrivalBuffer::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  if (capacity <= ArrivalMemory::kBlock) {  // so it is the first
    bytes_ = memory_.take();
    capacity_ = ArrivalMemory::kBlock;
    return;
  }
  auto larger = std::make_unique_for_overwrite<char[]>(capacity + simdjson::SIMDJSON_PADDING);
  if (size_ > 0) std::memcpy(larger.get(), bytes_.get(), size_);
  const std::size_t kept = size_;
  release();
  bytes_ = std::move(larger);
  capacity_ = capacity;
  size_ = kept;
}

void ArrivalBuffer::consume(std::size_t count) {
  size_ -= count;
  if (size_ > 0) {
    std::memmove(bytes_.get(), bytes_.get() + count, size_);
  } else {
    release();
  }
}

void ArrivalBuffer::release() {
  if (capacity_ == ArrivalMemory::kBlock) memory_.give_back(std::move(bytes_));
  bytes_.reset();
  capacity_ = 0;
  size_ = 0;
}

Connection::Connection(Socket socket, SSL_CTX* context, Worker& worker)
    : stream_(std::move(socket), context, worker.connections.size() >= kFewConnections),
      worker_(worker),
      self_(worker.connections.insert(worker.connections.end(), this)),
      in_(worker.memory) {
  set_deadline(worker.limits.handshake);
}

Connection::~Connection() {
  worker_.connections.erase(self_);
  worker_.shard.connections_closed.add();
}

void Connection::close_if_over(Clock::time_point now) {
  if (idle_ && !std::exchange(was_looked_at_, true) && stream_.has_hung_up()) {
    return stream_.cancel();
  }
  if (now < deadline_) return;
  deadline_ = Clock::time_point::max();
  if (!idle_) worker_.shard.http_faults[static_cast<std::size_t>(HttpFault::timeout)].add();
  stream_.cancel();
}

void Connection::drain() {
  drained_ = true;
  if (idle_) stream_.cancel();
}

Task<void> Connection::run() {
  if (const error_code error = co_await stream_.handshake()) {
    worker_.shard.handshake_failures.add();
    LogLine(spdlog::level::debug, "TLS handshake failed").with("error", error.message());
    co_return;
  }
  co_await serve();
}

Task<void> Connection::serve() {
  Step step = Step::next;
  while (step == Step::next) {
    if (in_.size() == 0) {
      if (drained_) break;  // its last answer was on the way when the draining began
      set_deadline(worker_.limits.idle);
      idle_ = true;
      was_looked_at_ = false;
      const bool more = co_await read_more(1);
      idle_ = false;
      if (!more) co_return;
    }
    set_deadline(worker_.limits.request);
    step = co_await serve_request();
    if (stream_.has_unsent() && co_await stream_.flush()) step = Step::gone;
  }
  if (step != Step::gone) {
    set_deadline(kGoodbye);
    co_await stream_.close(kGoodbyeBytes);
  }
}

/// Reads until `wanted` bytes are there.
Task<bool> Connection::read_more(std::size_t wanted) {
  if (in_.room() == 0 && in_.size() == 0) {
    const bool arrived = co_await stream_.wait();
    if (!arrived) co_return false;
  }
  in_.reserve(std::max(wanted, ArrivalMemory::kBlock));
  while (in_.size() < wanted) {
    std::size_t count = stream_.read_now(in_.end(), in_.room());
    if (count == 0) count = co_await stream_.read(in_.end(), in_.room());
    if (count == 0) co_return false;
    in_.arrived(count);
  }
  co_return true;
}

Task<Connection::Step> Connection::serve_request() {
  const auto start = about_now();
  HttpHead head(worker_.limits.http);
  std::size_t head_size = 0;
  if (const error_code error = co_await read_head(head, head_size)) co_return refuse(error);

  if (const auto timeout = timeout_of(head.target)) {
    deadline_ = std::min(deadline_, start + *timeout);
  }
  HttpRequest request{
      .method = head.method, .target = head.target, .content_type = head.content_type};
  ArrivalMemory::Share share(worker_.memory);
  const std::size_t whole =
      head_size + (head.chunked() ? worker_.limits.http.body : head.content_length().value_or(0));
  if (whole > ArrivalMemory::kBlock && !share.take(whole)) co_return refuse_as_busy();
  // Whoever asks first is not asked for a body that is refused. Any other body is on its way, and
  // the next request is behind it.
  if (head.expects_continue) {
    if (const auto refusal = refuse_by_head(request, worker_.shard)) {
      co_return send_now(*refusal, false);
    }
    stream_.write_now("HTTP/1.1 100 Continue\r\n\r\n");
    if (stream_.has_unsent() && co_await stream_.flush()) co_return Step::gone;
  }
  if (head.chunked()) co_return co_await serve_chunked(head, head_size);

  request.size = head.content_length().value_or(0);
  if (in_.size() < whole) {
    // The buffer may move as it grows, and with it what the head's views point to.
    const char* const before = in_.data();
    const auto at = [before](std::string_view view) { return view.data() - before; };
    const auto method_at = at(head.method);
    const auto target_at = at(head.target);
    const auto type_at = head.content_type.empty() ? 0 : at(head.content_type);
    if (!co_await read_more(whole)) co_return Step::gone;
    request.method = {in_.data() + method_at, head.method.size()};
    request.target = {in_.data() + target_at, head.target.size()};
    request.content_type = {in_.data() + type_at, head.content_type.size()};
  }
  request.body = in_.data() + head_size;
  const HttpReply& reply = worker_.handler.handle(request);
  // The answer to HEAD has no body by the client's reading, but by ours: nothing may follow it.
  const bool keep_alive = head.keep_alive() && request.method != "HEAD";
  in_.consume(whole);
  co_return send_now(reply, keep_alive);
}

Task<error_code> Connection::read_head(HttpHead& head, std::size_t& size) {
  head.eager(false);
  for (;;) {
    error_code error;
    size = head.put(asio::buffer(in_.data(), in_.size()), error);
    if (error != http::error::need_more) co_return error;
    if (!co_await read_more(in_.size() + 1)) co_return asio::error::eof;
  }
}

/// The rare case: a body without a length, whose chunks are put together elsewhere.
Task<Connection::Step> Connection::serve_chunked(HttpHead& head, std::size_t head_size) {
  const std::string method(head.method);
  const std::string target(head.target);
  const std::string content_type(head.content_type);
  in_.consume(head_size);
  if (const error_code error = co_await read_chunks(head)) co_return refuse(error);
  const std::size_t size = head.chunks.size();
  head.chunks.resize(size + simdjson::SIMDJSON_PADDING);
  const HttpReply& reply = worker_.handler.handle({.method = method,
                                                   .target = target,
                                                   .content_type = content_type,
                                                   .body = head.chunks.data(),
                                                   .size = size});
  co_return send_now(reply, head.keep_alive() && method != "HEAD");
}

Task<error_code> Connection::read_chunks(HttpHead& head) {
  head.eager(true);
  while (!head.is_done()) {
    if (in_.size() == 0 && !co_await read_more(1)) co_return asio::error::eof;
    error_code error;
    const std::size_t consumed = head.put(asio::buffer(in_.data(), in_.size()), error);
    in_.consume(consumed);
    if (error && error != http::error::need_more) co_return error;
    // What is left is the beginning of a line whose end has not arrived. No honest one is long.
    if (error && in_.size() > worker_.limits.http.header) co_return http::error::header_limit;
    if (error && !co_await read_more(in_.size() + 1)) co_return asio::error::eof;
  }
  co_return error_code{};
}

/// Most answers are gone when this returns; the caller flushes the rest.
Connection::Step Connection::send_now(const HttpReply& reply, bool keep_alive) {
  keep_alive = keep_alive && !worker_.draining;
  worker_.reply.clear();
  append_reply(worker_.reply, reply.status, reply.content_type, reply.body.text(), keep_alive);
  stream_.write_now(worker_.reply.text());
  return keep_alive ? Step::next : Step::close;
}

/// The body is not read: there is no room for it. The cluster's failurePolicy decides.
Connection::Step Connection::refuse_as_busy() {
  worker_.shard.http_faults[static_cast<std::size_t>(HttpFault::busy)].add();
  return send_now(plain_reply(503, "too many large reviews at once"), false);
}

/// After what is not HTTP, or too much of it, it is not safe to read on.
Connection::Step Connection::refuse(error_code error) {
  if (error == asio::error::eof) return Step::gone;
  auto fault = HttpFault::bad_http;
  HttpReply reply = plain_reply(400, "not HTTP/1.1: " + error.message());
  if (error == http::error::header_limit) {
    fault = HttpFault::header_too_large;
    reply = plain_reply(
        431, "the header is over " + std::to_string(worker_.limits.http.header) + " bytes");
  } else if (error == http::error::body_limit) {
    fault = HttpFault::too_large;
    reply =
        plain_reply(413, "the body is over " + std::to_string(worker_.limits.http.body) + " bytes");
  }
  worker_.shard.http_faults[static_cast<std::size_t>(fault)].add();
  return send_now(reply, false);
}

}  // namespace winadmit::server
