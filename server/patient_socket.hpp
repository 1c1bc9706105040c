// A socket that waits before it receives.
#pragma once

#include <boost/asio/async_result.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/version.hpp>
#include <cstddef>
#include <memory>
#include <utility>

#include "server/asio.hpp"

#if BOOST_VERSION == 108100
#include <boost/asio/detail/bind_handler.hpp>
#include <boost/asio/detail/fenced_block.hpp>
#include <boost/asio/detail/handler_alloc_helpers.hpp>
#include <boost/asio/detail/handler_work.hpp>
#include <boost/asio/detail/reactor.hpp>
#include <boost/asio/detail/reactor_op.hpp>
#include <boost/asio/detail/socket_ops.hpp>
#endif

namespace winadmit::server {

/// Asio tries to receive as soon as it is asked to. After an answer nothing has come yet, and the
/// try is a system call: 2 to 4 % of a small request. Asio has no public way around it, for
/// async_wait() has epoll look, by another system call. So what this hands to the reactor is an
/// operation of ours, which says of the reactor's first try that there was nothing. It is made of
/// Asio's inside as that is in Boost 1.81; with any other version it is async_read_some().
class PatientSocket : public Socket {
 public:
  /// A non-blocking one.
  explicit PatientSocket(Socket socket) : Socket(std::move(socket)) {}

  /// As async_read_some(), of what arrives from now on: the last receive must have taken all that
  /// was there, and since then nobody may have waited on the socket for anything else, or what has
  /// come meanwhile goes unnoticed.
  template <class Token>
  auto async_read_more(asio::mutable_buffer to, Token&& token) {
#if BOOST_VERSION == 108100
    return asio::async_initiate<Token, void(error_code, std::size_t)>(
        [this, to](auto handler) { this->start(to, std::move(handler)); }, token);
#else
    return async_read_some(to, std::forward<Token>(token));
#endif
  }

#if BOOST_VERSION == 108100
 private:
  /// As asio::detail::reactive_socket_recv_op, but for the first try.
  template <class Handler>
  class Operation : public asio::detail::reactor_op {
   public:
    BOOST_ASIO_DEFINE_HANDLER_PTR(Operation);

    Operation(int socket, asio::mutable_buffer to, Handler& handler, const Executor& executor)
        : reactor_op(error_code(), &do_perform, &do_complete),
          socket_(socket),
          to_(to),
          handler_(std::move(handler)),
          work_(handler_, executor) {}

   private:
    static status do_perform(reactor_op* base) {
      auto& self = *static_cast<Operation*>(base);
      const bool is_first = !std::exchange(self.was_tried_, true);
      return !is_first && asio::detail::socket_ops::non_blocking_recv1(
                              self.socket_, self.to_.data(), self.to_.size(), 0, true, self.ec_,
                              self.bytes_transferred_)
                 ? done
                 : not_done;
    }

    static void do_complete(void* owner, asio::detail::operation* base, const error_code&,
                            std::size_t) {
      auto* const self = static_cast<Operation*>(base);
      ptr memory = {std::addressof(self->handler_), self, self};
      asio::detail::handler_work<Handler, Executor> work(std::move(self->work_));
      // The handler may own the memory, which is given back before the call.
      asio::detail::binder2<Handler, error_code, std::size_t> call(self->handler_, self->ec_,
                                                                   self->bytes_transferred_);
      memory.h = std::addressof(call.handler_);
      memory.reset();
      if (owner == nullptr) return;
      const asio::detail::fenced_block fence(asio::detail::fenced_block::half);
      work.complete(call, call.handler_);
    }

    int socket_;
    asio::mutable_buffer to_;
    Handler handler_;
    asio::detail::handler_work<Handler, Executor> work_;
    bool was_tried_ = false;
  };

  template <class Handler>
  void start(asio::mutable_buffer to, Handler handler) {
    using Reactor = asio::detail::reactor;
    auto& implementation = impl_.get_implementation();
    typename Operation<Handler>::ptr memory = {std::addressof(handler),
                                               Operation<Handler>::ptr::allocate(handler), nullptr};
    memory.p = new (memory.v)
        Operation<Handler>(implementation.socket_, to, handler, impl_.get_executor());
    asio::use_service<Reactor>(impl_.get_executor().context())
        .start_op(Reactor::read_op, implementation.socket_, implementation.reactor_data_, memory.p,
                  false, true);
    memory.v = memory.p = nullptr;
  }
#endif
};

}  // namespace winadmit::server
