#include "server/transport/listener.hpp"

#include <boost/asio/redirect_error.hpp>
#include <utility>

#include "server/telemetry/log.hpp"
#include "server/transport/endpoint.hpp"

namespace winadmit::server {
namespace {

/// How long to wait when there is no descriptor or no memory for one more connection.
constexpr std::chrono::milliseconds kPause{100};

TlsContext share(const TlsContext& context) {
  SSL_CTX_up_ref(context.get());
  return TlsContext(context.get());
}

}  // namespace

Listener::Listener(const Tcp::endpoint& endpoint, std::vector<std::unique_ptr<Worker>>& workers,
                   TlsContext context)
    : workers_(workers),
      context_(std::move(context)),
      acceptor_(listen_on(workers.front()->loop, endpoint)),
      protocol_(acceptor_.local_endpoint().protocol()) {}

Task<void> Listener::accept() {
  while (acceptor_.is_open()) {
    Worker& worker = *workers_[next_];
    next_ = (next_ + 1) % workers_.size();
    error_code error;
    Socket socket(acceptor_.get_executor());
    co_await acceptor_.async_accept(socket, asio::redirect_error(use_task, error));
    if (error == asio::error::operation_aborted) co_return;
    if (error) {
      co_await pause_after(error);
      continue;
    }
    socket.set_option(Tcp::no_delay(true), error);
    const int descriptor = socket.release(error);
    const bool is_taken = co_await worker.accept(descriptor, protocol_, share(context_));
    if (!is_taken) co_await pause_after(asio::error::no_memory);
  }
}

Task<void> Listener::pause_after(const error_code& error) {
  LogLine(spdlog::level::warn, "cannot accept").with("error", error.message());
  for (const auto& worker : workers_) worker->evict_client();
  Timer timer(workers_.front()->loop, kPause);
  error_code ignored;
  co_await timer.async_wait(asio::redirect_error(use_task, ignored));
}

void Listener::close() {
  error_code ignored;
  acceptor_.close(ignored);
}

}  // namespace winadmit::server
