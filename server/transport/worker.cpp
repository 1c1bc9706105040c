#include "server/transport/worker.hpp"

#include <unistd.h>

#include <boost/asio/post.hpp>
#include <new>
#include <utility>

#include "server/transport/connection.hpp"
#include "server/transport/run_on.hpp"
#include "server/transport/spawn.hpp"

namespace winadmit::server {
namespace {

constexpr std::chrono::milliseconds kBetweenLooksAtDeadlines{250};

std::size_t share(std::size_t total, std::size_t threads) {
  return (total + threads - 1) / threads;
}

/// A thread's part. One request of the largest size always fits, in chunks as well: what arrives
/// with it, up to three times the scratch memory, is held beside its body.
Clients::Limits part_of(const Limits& limits, std::size_t threads, std::size_t scratch) {
  const std::size_t largest = 2 * limits.http.header + limits.http.body + 4 * scratch;
  const std::size_t bytes = share(limits.buffered, threads);
  const std::size_t for_small = bytes / 8;
  return {.clients = share(limits.connections, threads),
          .bytes = std::max(bytes, largest + for_small),
          .large = std::max(bytes - for_small, largest),
          .handshakes = share(limits.handshakes, threads)};
}

}  // namespace

Worker::Worker(const Limits& its_limits, std::size_t threads, Handler its_handler,
               ThreadMetrics& its_metrics, LargeReviews& its_large_reviews)
    : limits(its_limits),
      handler(std::move(its_handler)),
      metrics(its_metrics),
      large_reviews(its_large_reviews),
      clients(part_of(limits, threads, kScratch), metrics.evictions) {}

Task<bool> Worker::accept(int descriptor, Tcp protocol, TlsContext context) {
  co_return co_await run_on(loop.get_executor(), [this, descriptor, protocol, &context] {
    Socket socket(loop);
    error_code error;
    socket.assign(protocol, descriptor, error);
    if (!error) socket.non_blocking(true, error);
    if (error) {
      if (!socket.is_open()) ::close(descriptor);
      return false;
    }
    try {
      if (clients.is_full()) clients.evict_client();
      Connection::start(std::move(socket), std::move(context), *this);
      if (is_draining_) drain_clients();  // this one came with the signal
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
    drain_clients();
  });
}

void Worker::drain_clients() {
  clients.each([](Client& client) { static_cast<Connection&>(client).drain(); });
}

void Worker::evict_client() {
  asio::post(loop, [this] { clients.evict_client(); });
}

void Worker::run() { server::run(loop, metrics.bad_request(BadRequestReason::internal)); }

Task<void> Worker::watch_deadlines() {
  Timer timer(loop);
  for (;;) {
    timer.expires_after(kBetweenLooksAtDeadlines);
    co_await timer.async_wait(use_task);
    const auto now = Clock::now();
    clients.each([now](Client& client) { static_cast<Connection&>(client).check_deadline(now); });
    handshakes.begin_one();
  }
}

}  // namespace winadmit::server
