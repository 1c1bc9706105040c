// One client: its first bytes, its handshake, then requests one after the other until it goes.
#pragma once

#include <memory>
#include <optional>

#include "server/handler/handler.hpp"
#include "server/transport/asio.hpp"
#include "server/transport/clients.hpp"
#include "server/transport/http_reply.hpp"
#include "server/transport/receive_buffer.hpp"
#include "server/transport/request_parser.hpp"
#include "server/transport/tls_context.hpp"
#include "server/transport/tls_stream.hpp"

namespace winadmit::server {

class Worker;

class Connection final : public Client {
 public:
  /// Waits for the client's first bytes, without any state for TLS, and then for its turn in the
  /// queue of handshakes. A pending operation, the queue or a coroutine owns the connection.
  static void start(Socket socket, TlsContext context, Worker& worker);

  /// Serves a client that has been in the queue, until it goes or fails or the server drains.
  static void serve(std::unique_ptr<Connection> connection);

  Connection(Socket socket, const asio::ip::address& address, TlsContext context, Worker& worker);
  ~Connection() override;

  /// Ends the connection if its deadline is over. May destroy it.
  void check_deadline(Clock::time_point now);

  /// Ends the connection at once, or after the reply to a request that has come. A client that is
  /// new has a second to make one. May destroy the connection.
  void drain();

 private:
  enum class State {
    silent,     // waits for the first bytes
    queued,     // in the queue of handshakes, which owns the connection
    handshake,  // reads or writes
    idle,       // reads; no part of a request is there
    receiving,  // reads, if anything: who waits here can be told why it ends
    judging,    // waits for another thread, which uses the request
    replying,   // writes, or waits for its turn: can only be cut
    closing     // reads what is left
  };
  enum class Next { request, close, gone };

  void evict() override;
  void drop_bytes() override;
  void cut();

  Task<void> run();
  Task<void> serve_requests();
  Task<std::optional<HttpError>> wait_for_request();
  Task<Next> serve_request();
  Task<Next> serve_chunked(RequestParser& parser);
  Next judge(const RequestHead& head, std::string_view body);
  Task<Next> judge_large(const RequestHead& head, std::string_view body);
  Next reply(const HttpReply& reply, ReplyForm form);
  Next refuse(const HttpError& error);
  Task<bool> flush();
  bool is_over_head_limit(std::size_t size) const;
  std::optional<HttpError> to_http_error(const error_code& error) const;

  Worker& worker_;
  Socket socket_;
  TlsContext context_;
  std::unique_ptr<TlsStream> stream_;  // from the first bytes on
  ReceiveBuffer in_;
  ReceiveBuffer chunks_;  // the content of a chunked body
  Clock::time_point deadline_;
  State state_ = State::silent;
  bool is_cut_ = false;
  bool is_dropped_ = false;  // for its bytes: it is told so
  bool is_draining_ = false;
};

}  // namespace winadmit::server
