// Arbitrary HTTP bytes on a TLS connection: the server sends complete responses, closes when the
// client does, and sends the same responses however the bytes are split.
#include <openssl/err.h>

#include <boost/asio/executor_work_guard.hpp>
#include <csignal>

#include "certs/issue.hpp"
#include "certs/openssl.hpp"
#include "server/transport/connection.hpp"
#include "server/transport/worker.hpp"
#include "tests/fuzz/properties.hpp"

namespace {

using namespace winadmit;
using namespace winadmit::fuzz;
using server::asio::ip::address_v4;

constexpr std::chrono::seconds kLongest{5};

/// A worker whose event loop runs when it is told to.
struct Server {
  Server() {
    std::signal(SIGPIPE, SIG_IGN);  // OpenSSL writes to connections that have ended
    acceptor.listen();
  }

  server::Handler handler() { return {judge.policy, judge.config.exempt, metrics}; }

  Judge judge{"workloads: deny"};
  server::ThreadMetrics& metrics = judge.metrics.add_thread();
  server::LargeReviews large_reviews{handler()};
  server::Limits limits{.http = {.max_header = 512, .max_body = 2048}};
  server::Worker worker{limits, 1, handler(), metrics, large_reviews};
  server::asio::executor_work_guard<server::Executor> guard{worker.loop.get_executor()};
  server::Acceptor acceptor{worker.loop, {address_v4::loopback(), 0}};
  server::TlsContext context =
      server::make_tls_context(certs::parse_pair(certs::issue_self_signed()), {});
};

/// A client connection, and the responses to it.
class Client {
 public:
  explicit Client(Server& server) : server_(server), socket_(server.worker.loop) {
    connect();
    server::Socket served(server.worker.loop);
    server.acceptor.accept(served);
    served.set_option(server::Tcp::no_delay(true));
    served.non_blocking(true);
    server::Connection::start(std::move(served), address_v4::loopback(),
                              server::add_reference(server.context), server.worker);
    socket_.set_option(server::Tcp::no_delay(true));
    // RST, so that thousands of connections per second leave no ports in TIME_WAIT.
    socket_.set_option(server::asio::socket_base::linger(true, 0));
    socket_.non_blocking(true);
    SSL_set_fd(ssl_.get(), socket_.native_handle());
    SSL_set_connect_state(ssl_.get());
    run_until([this] { return SSL_do_handshake(ssl_.get()) == 1; });
  }

  /// Sends a piece, and runs the server until it has handled it.
  void send(std::string_view piece) {
    std::size_t count = 0;
    run_until([&] {
      return SSL_write_ex(ssl_.get(), piece.data(), piece.size(), &count) == 1 ||
             SSL_get_error(ssl_.get(), 0) != SSL_ERROR_WANT_WRITE;
    });
    while (run_once()) {
    }
  }

  /// Closes the sending side, and returns all responses after the server has closed the connection.
  std::string end() {
    SSL_shutdown(ssl_.get());
    server::error_code ignored;
    socket_.shutdown(server::Socket::shutdown_send, ignored);
    run_until([this] { return server_.worker.table.size() == 0; });
    run_until([this] {
      receive();
      return SSL_get_error(ssl_.get(), 0) != SSL_ERROR_WANT_READ;
    });
    return std::move(answers_);
  }

 private:
  /// The timer of libFuzzer may interrupt it; then the connection is made all the same.
  void connect() {
    server::error_code error;
    do socket_.connect(server_.acceptor.local_endpoint(), error);
    while (error == server::asio::error::interrupted ||
           error == server::asio::error::already_started);
    require(!error || error == server::asio::error::already_connected, "loopback can be reached");
  }

  /// False if neither side had anything to do.
  bool run_once() {
    const bool has_run = server_.worker.loop.poll() > 0;
    return receive() || has_run;
  }

  template <class Condition>
  void run_until(Condition condition) {
    const auto end = server::Clock::now() + kLongest;
    while (!condition()) {
      require(server::Clock::now() < end, "nothing hangs");
      if (!run_once()) server_.worker.loop.run_one_for(std::chrono::milliseconds(1));
    }
  }

  bool receive() {
    const std::size_t before = answers_.size();
    char bytes[4096];
    std::size_t count = 0;
    ERR_clear_error();
    while (SSL_is_init_finished(ssl_.get()) == 1 &&
           SSL_read_ex(ssl_.get(), bytes, sizeof bytes, &count) == 1) {
      answers_.append(bytes, count);
    }
    return answers_.size() > before;
  }

  static SSL_CTX* context() {
    static const server::TlsContext kContext(SSL_CTX_new(TLS_client_method()));
    return kContext.get();
  }

  Server& server_;
  server::Socket socket_;
  std::unique_ptr<SSL, certs::FreeWith<SSL_free>> ssl_{SSL_new(context())};
  std::string answers_;
};

std::string answers_to(Server& server, const std::vector<std::string_view>& pieces) {
  Client client(server);
  for (const std::string_view piece : pieces) client.send(piece);
  return client.end();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  disable_logging();
  static Server server;
  const Split sent = split(text_of(data, size));
  if (sent.bytes.empty()) return 0;
  const std::string expected = answers_to(server, {sent.bytes});
  check_replies(expected, sent.bytes);
  if (sent.pieces.size() == 1) return 0;
  const std::string found = answers_to(server, sent.pieces);
  if (found != expected) std::cerr << expected << "\n--- in pieces:\n" << found << '\n';
  require(found == expected, "the same answers in any split");
  return 0;
}
