#include "server/transport/worker.hpp"

#include <unistd.h>

#include <boost/asio/post.hpp>
#include <new>
#include <utility>

#include "server/transport/connection.hpp"
#include "server/transport/invoke_on.hpp"
#include "server/transport/spawn.hpp"

namespace winadmit::server {
namespace {

constexpr std::chrono::milliseconds kDeadlineCheckInterval{250};

/// Enough for 7 MB at 120 Mbit/s, 10 times what they take at 1 Gbit/s.
constexpr std::chrono::milliseconds kUploadTime{500};

/// The limits of one thread. A request of the largest size always fits, also in chunks: up to four
/// times the scratch memory is buffered in addition to its body. So do two small ones beside it.
ConnectionTracker::Limits limits_of_thread(const Limits& limits, std::size_t threads,
                                           std::size_t scratch_size) {
  const std::size_t largest_request =
      2 * limits.http.max_header + limits.http.max_body + 4 * scratch_size;
  const std::size_t share = share_of(limits.max_buffered, threads);
  const std::size_t for_small = std::max(share / 4, 2 * kLargeBytes);
  const std::size_t bytes = std::max(share, largest_request + for_small);
  return {.connections = share_of(limits.max_connections, threads),
          .bytes = bytes,
          .large_bytes = bytes - for_small,
          .handshakes = share_of(limits.max_handshakes, threads),
          .upload_time = kUploadTime};
}

/// How many large requests may wait for memory. They may hold a quarter of what large ones leave to
/// small ones: each has what it has received, and a part of a TLS record. One always fits.
std::size_t max_waiting(const ConnectionTracker::Limits& limits, std::size_t scratch_size) {
  const std::size_t for_small = limits.bytes - limits.large_bytes;
  return 1 + for_small / 4 / (scratch_size + TlsStream::kRecordSize);
}

}  // namespace

Worker::Worker(const Limits& all_limits, std::size_t threads, Handler request_handler,
               ThreadMetrics& thread_metrics, LargeReviewThread& large_review_thread)
    : limits(all_limits),
      handler(std::move(request_handler)),
      metrics(thread_metrics),
      large_reviews(large_review_thread),
      connections(limits_of_thread(limits, threads, kScratchSize), metrics.evictions),
      memory_queue(max_waiting(connections.limits(), kScratchSize)) {}

Task<bool> Worker::accept(int descriptor, Tcp protocol, TlsContext context) {
  co_return co_await invoke_on(loop.get_executor(), [this, descriptor, protocol, &context] {
    Socket socket(loop);
    error_code error;
    socket.assign(protocol, descriptor, error);
    if (!error) socket.non_blocking(true, error);
    if (error) {
      if (!socket.is_open()) ::close(descriptor);
      return false;
    }
    try {
      if (connections.is_full()) connections.evict_one();
      Connection::start(std::move(socket), std::move(context), *this);
      if (is_draining_) drain_connections();  // accepted just before the listener closed
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  });
}

void Worker::close_after_replies() {
  asio::post(loop, [this] { closes_after_replies = true; });
}

void Worker::drain() {
  asio::post(loop, [this] {
    is_draining_ = true;
    drain_connections();
  });
}

void Worker::evict_connection() {
  asio::post(loop, [this] { connections.evict_one(); });
}

void Worker::run() { run_loop(loop, metrics.bad_request(BadRequestReason::internal)); }

template <class Visit>
void Worker::for_each_connection(Visit visit) {
  connections.for_each(
      [&](TrackedConnection& connection) { visit(static_cast<Connection&>(connection)); });
}

Task<void> Worker::watch_deadlines() {
  Timer timer(loop);
  for (;;) {
    timer.expires_after(kDeadlineCheckInterval);
    co_await timer.async_wait(use_task);
    for_each_connection(
        [now = Clock::now()](Connection& connection) { connection.check_deadline(now); });
  }
}

void Worker::drain_connections() {
  for_each_connection([](Connection& connection) { connection.finish(); });
}

}  // namespace winadmit::server
