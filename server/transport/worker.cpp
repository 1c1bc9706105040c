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

/// The limits of one thread. A request of the largest size always fits, also in chunks: up to four
/// times the scratch memory is buffered in addition to its body. So do two small ones beside it.
ConnectionTable::Limits limits_of_thread(const Limits& limits, std::size_t threads,
                                         std::size_t scratch_size) {
  const std::size_t largest_request =
      2 * limits.http.max_header + limits.http.max_body + 4 * scratch_size;
  const std::size_t share = share_of(limits.max_buffered, threads);
  const std::size_t for_small = std::max(share / 4, 2 * kLargeBytes);
  const std::size_t bytes = std::max(share, largest_request + for_small);
  return {.connections = share_of(limits.max_connections, threads),
          .bytes = bytes,
          .large_bytes = bytes - for_small,
          .handshakes = share_of(limits.max_handshakes, threads)};
}

}  // namespace

Worker::Worker(const Limits& all_limits, std::size_t threads, Handler request_handler,
               ThreadMetrics& thread_metrics, LargeReviews& large_reviews_of_all)
    : limits(all_limits),
      handler(std::move(request_handler)),
      metrics(thread_metrics),
      large_reviews(large_reviews_of_all),
      table(limits_of_thread(limits, threads, kScratchSize), metrics.evictions) {}

Worker::~Worker() = default;

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
    const auto client = socket.remote_endpoint(error).address();
    if (error) return true;  // already closed by the client
    try {
      if (table.is_full()) table.end_one();
      Connection::start(std::move(socket), client, std::move(context), *this);
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
  asio::post(loop, [this] { table.end_one(); });
}

void Worker::run() { run_loop(loop, metrics.bad_request(BadRequestReason::internal)); }

template <class Visit>
void Worker::for_each_connection(Visit visit) {
  for (auto next = connections.begin(); next != connections.end();) visit(*next++);
}

Task<void> Worker::watch_deadlines() {
  Timer timer(loop);
  for (;;) {
    timer.expires_after(kDeadlineCheckInterval);
    co_await timer.async_wait(use_task);
    for_each_connection(
        [now = Clock::now()](Connection& connection) { connection.check_deadline(now); });
    turns.serve_later();
  }
}

void Worker::drain_connections() {
  for_each_connection([](Connection& connection) { connection.finish(); });
}

}  // namespace winadmit::server
