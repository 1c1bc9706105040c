#include "server/transport/accept_loop.hpp"

#include <boost/asio/redirect_error.hpp>
#include <chrono>
#include <new>

namespace winadmit::server {
namespace {

constexpr std::chrono::milliseconds kPause{100};

}  // namespace

Task<void> accept_until_closed(Acceptor& acceptor, std::function<Task<error_code>()> accept_one,
                               std::function<void(const error_code&)> make_room) {
  Timer pause(acceptor.get_executor());
  while (acceptor.is_open()) {
    error_code error;
    try {
      error = co_await accept_one();
    } catch (const std::bad_alloc&) {
      error = asio::error::no_memory;
    }
    if (error == asio::error::operation_aborted) co_return;
    if (!error) continue;
    make_room(error);
    pause.expires_after(kPause);
    co_await pause.async_wait(asio::redirect_error(use_task, error));
  }
}

}  // namespace winadmit::server
