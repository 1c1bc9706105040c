#include "server/transport/listener.hpp"

#include <unistd.h>

#include <boost/asio/redirect_error.hpp>
#include <new>
#include <utility>

#include "server/telemetry/log.hpp"
#include "server/transport/accept_loop.hpp"
#include "server/transport/endpoint.hpp"
#include "server/transport/scope_exit.hpp"

namespace winadmit::server {
Listener::Listener(const Tcp::endpoint& endpoint, std::vector<std::unique_ptr<Worker>>& workers,
                   TlsContext context)
    : workers_(workers),
      context_(std::move(context)),
      acceptor_(listen_on(workers.front()->loop, endpoint)),
      protocol_(acceptor_.local_endpoint().protocol()),
      accept_ended_(workers.front()->loop, Clock::time_point::max()) {}

Task<void> Listener::accept() {
  is_accepting_ = true;
  asio::io_context& loop = workers_.front()->loop;
  // Asio destroys this coroutine, without an exception in it, if there is no memory to wait. After
  // the loop has stopped, the listener may be gone.
  const ScopeExit ended([this, &loop] {
    if (loop.stopped()) return;
    is_accepting_ = false;
    accept_ended_.cancel();
  });
  co_await accept_until_closed(
      acceptor_, [this] { return accept_one(); },
      [this](const error_code& accept_error) { make_room(accept_error); });
}

Task<error_code> Listener::accept_one() {
  error_code error;
  Socket socket(acceptor_.get_executor());
  co_await acceptor_.async_accept(socket, asio::redirect_error(use_task, error));
  if (!error && !co_await hand_over(std::move(socket))) error = asio::error::no_memory;
  co_return error;
}

/// The one with the fewest connections, so that none is full long before the others. Equal ones
/// take turns.
Worker& Listener::choose_worker() {
  std::size_t chosen = next_worker_;
  for (std::size_t i = 1; i < workers_.size(); ++i) {
    const std::size_t other = (next_worker_ + i) % workers_.size();
    if (workers_[other]->metrics.open_connections() < workers_[chosen]->metrics.open_connections())
      chosen = other;
  }
  next_worker_ = (chosen + 1) % workers_.size();
  return *workers_[chosen];
}

Task<bool> Listener::hand_over(Socket socket) {
  Worker& worker = choose_worker();
  error_code ignored;
  socket.set_option(Tcp::no_delay(true), ignored);
  const int descriptor = socket.release(ignored);
  try {
    co_return co_await worker.accept(descriptor, protocol_, add_reference(context_));
  } catch (const std::bad_alloc&) {  // the worker has not got it
    ::close(descriptor);
    throw;
  }
}

void Listener::make_room(const error_code& error) {
  workers_.front()->metrics.refusals.at_accept.add();
  LogLine(spdlog::level::warn, "cannot accept a connection").with("error", error.message());
  for (const auto& worker : workers_) worker->evict_connection();
}

Task<void> Listener::close() {
  error_code error;
  acceptor_.non_blocking(true, error);
  // The bound is for clients that connect all the time.
  for (int i = 0; i < Acceptor::max_listen_connections && !error; ++i) {
    Socket socket(acceptor_.get_executor());
    acceptor_.accept(socket, error);
    if (!error) co_await hand_over(std::move(socket));
  }
  acceptor_.close(error);
  // It may have accepted a connection that its worker does not have yet.
  if (is_accepting_) co_await accept_ended_.async_wait(asio::redirect_error(use_task, error));
}

}  // namespace winadmit::server
