// The life of a connection before its first request. Its requests are in the wire tests.
#include "server/transport/connection.hpp"

#include <gtest/gtest.h>

#include <boost/asio/local/connect_pair.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <chrono>

#include "tests/server/transport/test_worker.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;

/// The first bytes of a TLS handshake.
constexpr std::string_view kFirstBytes = "\x16\x03\x01\x02";

struct ConnectionTest : testing::Test {
  /// A connection that waits for the client's first bytes, which may have arrived.
  Connection& start(std::string_view first_bytes = "") {
    client.send(first_bytes);
    return Connection::start(test.accept(), asio::ip::make_address("127.0.0.1"),
                             add_reference(test.context), test.worker);
  }
  std::size_t count() const { return test.worker.table.size(); }
  bool is_closed() {
    return test::run_until(test.worker.loop,
                           [&] { return test.metrics.connections_closed.value() == 1; });
  }

  std::uint64_t failures() {
    return test.metrics.handshake_failure(HandshakeFailure::other).value();
  }

  test::TestWorker test;
  test::TcpClient client{test.port()};
};

TEST_F(ConnectionTest, WithoutAByteIsClosedAtTheHandshakeTimeout) {
  Connection& connection = start();
  connection.check_deadline(Clock::now() + test.limits.handshake_timeout - 1s);
  EXPECT_EQ(count(), 1U);
  connection.check_deadline(Clock::now() + test.limits.handshake_timeout);
  EXPECT_TRUE(is_closed());
  EXPECT_EQ(failures(), 0U) << "there was no handshake";
}

TEST_F(ConnectionTest, InItsHandshakeIsClosedAtTheSameTimeoutAndCounted) {
  Connection& connection = start(kFirstBytes);
  ASSERT_TRUE(
      test::run_until(test.worker.loop, [&] { return test.worker.table.handshakes() == 1; }));
  connection.check_deadline(Clock::now() + test.limits.handshake_timeout);
  EXPECT_TRUE(is_closed());
  EXPECT_EQ(failures(), 1U);
}

TEST_F(ConnectionTest, ThatTheClientClosesWithoutAByteIsNoFailedHandshake) {
  start();
  client.close();
  EXPECT_TRUE(is_closed());
  EXPECT_EQ(failures(), 0U);
}

/// Asio wakes a socket without a cause if it reuses the state of one that was closed while its
/// event was waiting.
TEST_F(ConnectionTest, IsServedAlthoughItIsWokenBeforeItsFirstByte) {
  using Local = asio::local::stream_protocol;
  asio::io_context& loop = test.worker.loop;
  Local::socket first(loop), to_first(loop), second(loop), to_second(loop);
  asio::local::connect_pair(first, to_first);
  asio::local::connect_pair(second, to_second);
  bool has_started = false;
  second.async_wait(Local::socket::wait_read, [](const auto&) {});
  first.async_wait(Local::socket::wait_read, [&](const auto&) {
    second.close();
    start();
    has_started = true;
  });
  to_first.send(asio::buffer("a"));
  to_second.send(asio::buffer("a"));
  ASSERT_TRUE(test::run_until(loop, [&] { return has_started; }));
  loop.poll();
  EXPECT_EQ(count(), 1U);
  client.send(kFirstBytes);
  EXPECT_TRUE(test::run_until(loop, [&] { return test.worker.table.handshakes() == 1; }));
}

TEST_F(ConnectionTest, WithoutAByteHasASecondWhenTheServerDrains) {
  Connection& connection = start();
  connection.finish();
  const auto drained = Clock::now();
  connection.check_deadline(drained);
  EXPECT_EQ(test.worker.table.size(), 1U);
  connection.check_deadline(drained + 1s);
  EXPECT_TRUE(is_closed());
}

TEST_F(ConnectionTest, HasASecondForItsFirstRequestWhenTheServerDrains) {
  Connection& connection = start(kFirstBytes);
  connection.finish();
  connection.check_deadline(Clock::now() + 500ms);
  EXPECT_EQ(count(), 1U);
  connection.check_deadline(Clock::now() + 1s);
  EXPECT_TRUE(is_closed());
}

}  // namespace
}  // namespace winadmit::server
