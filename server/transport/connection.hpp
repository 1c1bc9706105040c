// One connection of the webhook port: a coroutine that owns it from accept to its end.
// connection.cpp has its life, connection_requests.cpp its requests.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "server/handler/http_message.hpp"
#include "server/telemetry/log_limit.hpp"
#include "server/transport/asio.hpp"
#include "server/transport/connection_table.hpp"
#include "server/transport/http_reply.hpp"
#include "server/transport/receive_buffer.hpp"
#include "server/transport/request_parser.hpp"
#include "server/transport/tls_context.hpp"
#include "server/transport/tls_stream.hpp"
#include "server/transport/waiting.hpp"
#include "server/transport/worker.hpp"

namespace winadmit::server {

class Connection final : public ConnectionHook, private ConnectionTable::Row::Owner {
 public:
  /// Starts the coroutine. `client`: the address that it counts for.
  static Connection& start(Socket socket, const asio::ip::address& client, TlsContext context,
                           Worker& worker);

  Connection(Socket socket, const asio::ip::address& client, Worker& worker);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Ends the connection if its deadline has passed: an idle one with the end of the TLS session.
  void check_deadline(Clock::time_point now);

  /// Closes the connection now, or after the reply to a request that has begun. A new connection
  /// has a second for its first request, and another for the rest of a TLS record.
  void finish();

 private:
  static constexpr std::string_view kNotServed =
      "a connection is closed: a limit leaves no room for it";

  enum class State : unsigned char {
    connected,  // waits for the first bytes
    queued,     // waits for the turn of its handshake
    handshake,  // reads or writes
    idle,       // waits for the first byte of a request
    ready,      // waits for the turn of its request
    turn,       // looks for bytes of a request
    receiving,  // reads a request; a reply with an error is possible
    handling,   // waits for the large review thread, which uses the request
    sending,    // writes a reply
    closing     // discards what the client still sends
  };
  /// What follows a request.
  enum class Next {
    request,  // waits for the next one
    turn,     // bytes of the next one may have arrived: waits for its turn
    close,    // an orderly close, because of the reply
    abort     // nothing: the client has gone, or the connection is closed
  };

  static SelfOwned live(std::unique_ptr<Connection> self, TlsContext context);
  auto wait_for_bytes() {
    return Wait([this](Resumption resume) {
      socket_.async_wait(Socket::wait_read,
                         [resume = std::move(resume)](const error_code&) mutable { resume(); });
    });
  }
  auto run(Task<Next> task) { return Run(worker_.loop, std::move(task)); }
  void end_for(std::string_view limit) override;
  void close();
  void clear_buffers();
  void enter(State state, Clock::duration timeout);
  void shorten_deadline(Clock::time_point deadline);
  void count_failed_handshake(const error_code& error);
  void answer_plain_http();
  void log_at_limit(std::map<std::string_view, LogLimit>& logs, std::string_view event,
                    std::string_view limit) const;

  bool has_client_left();
  bool has_client_given_up(Clock::time_point now);
  void check_wait(Clock::time_point now);
  bool has_begun();
  Task<Next> shake_hands(SSL_CTX* context);
  Task<void> fail_handshake(const error_code& error);
  Task<Next> take_turn();
  Next become_idle();
  void become_ready();
  bool ends_before_next_request() const;
  Task<void> close_gracefully(std::size_t max_bytes);

  Task<Next> serve_request();
  std::optional<HttpError> parse_header(RequestParser& parser, std::optional<std::size_t> size);
  Task<std::optional<Next>> read_more(Clock::time_point& received);
  Task<std::optional<Next>> answer_expectation(const RequestHeader& header);
  Task<std::optional<Next>> read_body(std::size_t size, Clock::time_point& received);
  Task<std::optional<Next>> read_chunks(RequestParser& parser, Clock::time_point& received);
  Task<error_code> reserve_large(ReceiveBuffer& buffer, std::size_t count);
  Next handle(const HttpRequest& request, ReplyOptions options);
  Task<Next> handle_large(const HttpRequest& request, ReplyOptions options);
  Next send_answer(const HttpReply& reply, ReplyOptions options);
  void release_body(const RequestHeader& header);
  Next send_reply(const HttpReply& reply, ReplyOptions options);
  Next send_error(const HttpError& error);
  void log_refusal(const HttpReply& reply);
  Next fail_request(const error_code& error);
  Next fail(const error_code& error);
  Task<bool> flush();
  bool is_over_header_limit(std::size_t size) const;
  error_code read_result(const error_code& error) const;

  Worker& worker_;
  ConnectionTable::Row row_;
  Socket socket_;
  std::unique_ptr<TlsStream> stream_;  // from the handshake on
  ReceiveBuffer in_;
  std::unique_ptr<ReceiveBuffer> chunks_;  // the content of a chunked body
  Clock::duration timeout_;                // of the last request, and probably of the next one
  Clock::time_point deadline_;
  Clock::time_point ready_since_;  // when the first bytes of a request have arrived
  State state_ = State::connected;
  bool has_made_request_ = false;
  bool is_closed_ = false;
  bool is_memory_reclaimed_ = false;
  bool is_finishing_ = false;
};

}  // namespace winadmit::server
