#include "server/listener.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/redirect_error.hpp>
#include <exception>

#include "server/log.hpp"

namespace winadmit::server {
namespace {

constexpr std::chrono::milliseconds kDeadlinesLookedAtEvery{250};

/// How long to wait with accepting when there is no descriptor or memory for it.
constexpr std::chrono::milliseconds kOutOfResources{100};

Task<void> run_connection(Socket socket, SSL_CTX* context, Worker& worker) {
  Connection connection(std::move(socket), context, worker);
  co_await connection.run();
}

/// The end of a connection. An exception here is a fault of ours, not of the client's, and ends
/// that connection alone.
void report(const std::exception_ptr& failure) {
  if (!failure) return;
  try {
    std::rethrow_exception(failure);
  } catch (const std::exception& error) {
    LogLine(spdlog::level::err, "connection ended by a fault").with("error", error.what());
  }
}

}  // namespace

Listener::Listener(const Tcp::endpoint& endpoint, std::vector<std::unique_ptr<Lane>>& lanes,
                   const Limits& limits, TlsContext context)
    : lanes_(lanes),
      limits_(limits),
      context_(std::move(context)),
      acceptor_(lanes.front()->loop, endpoint, true) {}

std::size_t Listener::open_connections() const {
  std::uint64_t open = 0;
  for (const auto& lane : lanes_) {
    const Shard& shard = lane->worker.shard;
    open += shard.connections_opened.value() - shard.connections_closed.value();
  }
  return static_cast<std::size_t>(open);
}

Task<void> Listener::accept() {
  Timer pause(lanes_.front()->loop);
  while (acceptor_.is_open()) {
    Lane& lane = *lanes_[next_lane_];
    error_code error;
    Socket socket(lane.loop);
    co_await acceptor_.async_accept(socket, asio::redirect_error(use_task, error));
    if (error == asio::error::operation_aborted) co_return;
    if (error) {
      LogLine(spdlog::level::warn, "cannot accept").with("error", error.message());
      pause.expires_after(kOutOfResources);
      co_await pause.async_wait(asio::redirect_error(use_task, error));
      continue;
    }
    if (open_connections() >= limits_.connections) {
      lane.worker.shard.connections_refused.add();
      continue;  // the socket closes
    }
    next_lane_ = (next_lane_ + 1) % lanes_.size();
    socket.set_option(Tcp::no_delay(true), error);
    socket.non_blocking(true, error);
    lane.worker.shard.connections_opened.add();
    // The context is held for the connection until its session holds it.
    SSL_CTX_up_ref(context_.get());
    asio::co_spawn(
        lane.loop,
        [](Socket taken, TlsContext context, Worker& worker) -> Task<void> {
          co_await run_connection(std::move(taken), context.get(), worker);
        }(std::move(socket), TlsContext(context_.get()), lane.worker),
        report);
  }
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
}

Task<void> watch_deadlines(Lane& lane) {
  Timer timer(lane.loop);
  for (;;) {
    timer.expires_after(kDeadlinesLookedAtEvery);
    co_await timer.async_wait(use_task);
    const auto now = Clock::now();
    for (Connection* connection : lane.worker.connections) connection->close_if_over(now);
  }
}

}  // namespace winadmit::server
