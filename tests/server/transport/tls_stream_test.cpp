// TLS over a socket: what is read, written and reserved.
#include "server/transport/tls_stream.hpp"

#include <gtest/gtest.h>
#include <openssl/err.h>
#include <sys/socket.h>

#include <boost/asio/co_spawn.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/server/transport/test_row.hpp"
#include "tests/server/transport/test_worker.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::server {
namespace {

using test::run_until;

/// A client whose encrypted bytes a test sends in pieces of its choice.
class Peer {
 public:
  explicit Peer(std::uint16_t port) : tcp_(port) {
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_connect_state(ssl_.get());
  }

  SSL* session() const { return ssl_.get(); }
  test::TcpClient& tcp() { return tcp_; }

  bool shake_hands() {
    receive();
    ERR_clear_error();
    return SSL_do_handshake(ssl_.get()) == 1;
  }
  void encrypt(std::string_view bytes) {
    ASSERT_EQ(SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())),
              static_cast<int>(bytes.size()));
  }
  /// Takes everything that is encrypted and not sent.
  std::string take() {
    char* bytes = nullptr;
    const auto size = static_cast<std::size_t>(BIO_get_mem_data(SSL_get_wbio(ssl_.get()), &bytes));
    std::string taken(bytes, size);
    BIO_reset(SSL_get_wbio(ssl_.get()));
    return taken;
  }
  void flush() { tcp_.send(take()); }

  /// All content that has arrived so far.
  const std::string& received() {
    receive();
    char some[4096];
    std::size_t count = 0;
    ERR_clear_error();
    while (SSL_read_ex(ssl_.get(), some, sizeof some, &count) == 1) received_.append(some, count);
    return received_;
  }

 private:
  void receive() {
    char some[4096];
    for (ssize_t count = 0;
         (count = ::recv(tcp_.descriptor(), some, sizeof some, MSG_DONTWAIT)) > 0;) {
      BIO_write(SSL_get_rbio(ssl_.get()), some, static_cast<int>(count));
    }
  }

  test::TcpClient tcp_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_{SSL_CTX_new(TLS_client_method()),
                                                        SSL_CTX_free};
  std::unique_ptr<SSL, void (*)(SSL*)> ssl_{SSL_new(context_.get()), SSL_free};
  std::string received_;
};

constexpr std::size_t kMemory = 1024 * 1024;
constexpr std::size_t kRecordSize = 16 * 1024;

struct TlsStreamTest : testing::Test {
  Socket accept() {
    Socket accepted(loop);
    acceptor.accept(accepted);
    accepted.non_blocking(true);
    return accepted;
  }

  /// `result` has its error when the operation has ended.
  void start(Task<error_code> operation) {
    result.reset();
    asio::co_spawn(loop, std::move(operation),
                   [this](const std::exception_ptr& exception, error_code error) {
                     EXPECT_FALSE(exception);
                     result = error;
                   });
    poll();
  }
  void poll() {
    loop.restart();
    loop.poll();
  }
  error_code finish() {
    EXPECT_TRUE(run_until(loop, [this] { return result.has_value(); }));
    return result.value_or(asio::error::timed_out);
  }
  error_code run(Task<error_code> operation) {
    start(std::move(operation));
    return finish();
  }
  void shake_hands() {
    start(stream.handshake());
    ASSERT_TRUE(run_until(loop, [this] {
      const bool is_done = peer.shake_hands();
      peer.flush();
      return is_done && result.has_value();
    }));
    ASSERT_FALSE(*result);
  }

  asio::io_context loop{1};
  Acceptor acceptor = listen_on(loop, parse_endpoint("127.0.0.1:0"));
  Peer peer{acceptor.local_endpoint().port()};
  Socket socket = accept();
  Evictions evictions;
  ConnectionTable table{
      {.connections = 1, .bytes = kMemory, .large_bytes = kMemory, .handshakes = 1}, evictions};
  test::TestRow row{table};
  TlsContext context = test::make_context();
  std::vector<char> scratch = std::vector<char>(64 * 1024);
  TlsStream stream{socket, context.get(), scratch, row};
  ReceiveBuffer received{row};
  std::optional<error_code> result;
};

TEST_F(TlsStreamTest, DecryptsWhatArrivesAndEncryptsWhatIsWritten) {
  shake_hands();
  peer.encrypt("ping");
  peer.flush();
  EXPECT_FALSE(run(stream.read(received)));
  EXPECT_EQ(received.bytes(), "ping");
  stream.write("pong");
  EXPECT_TRUE(run_until(loop, [this] { return peer.received() == "pong"; }));
}

TEST_F(TlsStreamTest, KeepsARequestThatArrivesWithTheEndOfTheHandshake) {
  start(stream.handshake());
  peer.shake_hands();
  peer.flush();
  ASSERT_TRUE(run_until(loop, [this] { return peer.shake_hands(); }));
  peer.encrypt("early");
  peer.flush();  // Finished and the request in one segment
  EXPECT_FALSE(finish());
  EXPECT_FALSE(run(stream.read(received)));
  EXPECT_EQ(received.bytes(), "early");
}

TEST_F(TlsStreamTest, ReservesAWholeRecordForAPartOfOne) {
  shake_hands();
  peer.encrypt(std::string(1000, 'x'));
  const std::string record = peer.take();
  peer.tcp().send(std::string_view(record).substr(0, 100));
  EXPECT_FALSE(run(stream.read(received)));
  EXPECT_TRUE(received.empty());
  start(stream.read(received));
  EXPECT_FALSE(result) << "it waits for the rest";
  EXPECT_EQ(table.bytes(), kRecordSize);
  peer.tcp().send(std::string_view(record).substr(100));
  EXPECT_FALSE(finish());
  EXPECT_EQ(received.bytes(), std::string(1000, 'x'));
  received.clear();
  start(stream.read(received));
  EXPECT_EQ(table.bytes(), 0U) << "nothing is kept between records";
}

TEST_F(TlsStreamTest, FailsIfThereIsNoMemoryForAnAnnouncedClientHello) {
  ASSERT_TRUE(row.reserve(kMemory - 100'000));
  // The beginning of a ClientHello of 128 KiB.
  peer.tcp().send(std::string_view("\x16\x03\x01\x00\x04\x01\x02\x01\x44", 9));
  EXPECT_EQ(run(stream.handshake()), asio::error::no_buffer_space);
}

TEST_F(TlsStreamTest, FailsIfThereIsNoMemoryForTheContent) {
  shake_hands();
  ASSERT_TRUE(row.reserve(kMemory));
  peer.encrypt("request");
  peer.flush();
  EXPECT_EQ(run(stream.read(received)), asio::error::no_buffer_space);
}

TEST_F(TlsStreamTest, ReservesUnsentBytesUntilThePeerHasReadThem) {
  shake_hands();
  const std::string reply(500'000, 'r');
  stream.write(reply);
  ASSERT_GT(stream.unsent(), 0U);
  start(stream.flush());
  EXPECT_FALSE(result) << "the peer does not read";
  EXPECT_EQ(table.bytes(), stream.unsent());
  ASSERT_TRUE(run_until(
      loop, [&] { return peer.received().size() == reply.size() && result.has_value(); }));
  EXPECT_EQ(peer.received(), reply);
  EXPECT_EQ(stream.unsent(), 0U);
}

class TlsStreamKeyUpdates : public TlsStreamTest, public testing::WithParamInterface<int> {};

TEST_P(TlsStreamKeyUpdates, AreReadUpToALimit) {
  shake_hands();
  for (const int count : {16, 17}) {
    for (int i = 0; i < count; ++i) {
      SSL_key_update(peer.session(), GetParam());
      peer.shake_hands();
    }
    peer.flush();
    run(stream.read(received));
    peer.encrypt("after");
    peer.flush();
    const bool is_open = !run(stream.read(received));
    EXPECT_EQ(is_open, count == 16) << count;
  }
  EXPECT_EQ(received.bytes(), "after");
}

INSTANTIATE_TEST_SUITE_P(Answered, TlsStreamKeyUpdates,
                         testing::Values(SSL_KEY_UPDATE_REQUESTED, SSL_KEY_UPDATE_NOT_REQUESTED));

TEST_F(TlsStreamTest, ClosesWithCloseNotifyAndWaitsForThePeer) {
  shake_hands();
  start([](TlsStream& closed) -> Task<error_code> {
    co_await closed.lingering_close(1000);
    co_return error_code{};
  }(stream));
  peer.received();
  EXPECT_EQ(SSL_get_shutdown(peer.session()), SSL_RECEIVED_SHUTDOWN);
  EXPECT_FALSE(result) << "the peer has not closed";
  peer.tcp().close();
  EXPECT_FALSE(finish());
}

TEST_F(TlsStreamTest, StopsWaitingForAPeerThatKeepsSending) {
  shake_hands();
  start([](TlsStream& closed) -> Task<error_code> {
    co_await closed.lingering_close(1000);
    co_return error_code{};
  }(stream));
  peer.tcp().send(std::string(1000, 'x'));
  EXPECT_FALSE(finish());
}

}  // namespace
}  // namespace winadmit::server
