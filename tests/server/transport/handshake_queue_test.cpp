// Which connection starts its TLS handshake, and when.
#include "server/transport/handshake_queue.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <vector>

#include "server/transport/connection.hpp"
#include "tests/server/transport/test_worker.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::server {
namespace {

constexpr const char* kOne = "10.0.0.1";
constexpr const char* kTwo = "10.0.0.2";

struct HandshakeQueueTest : testing::Test {
  /// Pushes a connection that counts as one of this source. Its client sends nothing.
  const Connection& push(const char* source, test::TestWorker& to) {
    clients.push_back(std::make_unique<test::TcpClient>(to.port()));
    auto connection = std::make_unique<Connection>(to.accept(), asio::ip::make_address(source),
                                                   add_reference(to.context), to.worker);
    const Connection& pushed = *connection;
    to.worker.handshakes.push(std::move(connection));
    return pushed;
  }
  const Connection& push(const char* source) { return push(source, test); }

  std::size_t started() const { return test.worker.connections.handshakes(); }

  std::vector<std::unique_ptr<test::TcpClient>> clients;
  test::TestWorker test;
};

TEST_F(HandshakeQueueTest, StartsOneHandshakeInEachTurnOfTheLoop) {
  for (int i = 0; i < 3; ++i) push(kOne);
  EXPECT_EQ(started(), 1U);
  test.worker.loop.poll_one();
  EXPECT_EQ(started(), 2U);
  test.worker.loop.poll();
  EXPECT_EQ(started(), 3U);
}

TEST_F(HandshakeQueueTest, PrefersTheSourceWithTheFewestHandshakes) {
  push(kOne);
  const Connection& waiting = push(kOne);
  const Connection& other = push(kTwo);
  test.worker.loop.poll_one();
  EXPECT_EQ(other.handshakes_of_source(), 1U);
  EXPECT_EQ(waiting.handshakes_of_source(), 1U);
}

TEST_F(HandshakeQueueTest, PrefersTheNewestConnectionOfASource) {
  push(kOne);
  const Connection& older = push(kOne);
  push(kOne);
  test.worker.loop.poll_one();
  EXPECT_EQ(started(), 2U);
  test.worker.handshakes.remove(older, older.source());
  EXPECT_EQ(test.worker.connections.size(), 2U) << "it was still in the queue";
}

TEST_F(HandshakeQueueTest, PrefersTheNewestConnectionOfSourcesWithAsManyHandshakes) {
  push(kOne);
  const Connection& older = push("10.0.0.3");
  const Connection& newer = push(kTwo);
  test.worker.loop.poll_one();
  EXPECT_EQ(newer.handshakes_of_source(), 1U);
  EXPECT_EQ(older.handshakes_of_source(), 0U);
}

TEST_F(HandshakeQueueTest, WaitsAtTheLimitUntilAHandshakeEnds) {
  test::TestWorker limited({.max_handshakes = 1});
  push(kOne, limited);
  push(kOne, limited);
  limited.worker.loop.poll();
  EXPECT_EQ(limited.worker.connections.handshakes(), 1U);
  EXPECT_EQ(limited.worker.connections.size(), 2U);
  clients.front()->close();
  EXPECT_TRUE(test::run_until(limited.worker.loop, [&] {
    return limited.worker.connections.size() == 1 && limited.worker.connections.handshakes() == 1;
  }));
}

TEST_F(HandshakeQueueTest, StartsInPlaceOfAHandshakeThatBecomesSlow) {
  test::TestWorker limited({.max_handshakes = 1});
  push(kOne, limited);
  limited.worker.loop.poll();
  const Connection& waiting = push(kTwo, limited);
  EXPECT_EQ(waiting.handshakes_of_source(), 0U);
  // Nothing else wakes the loop.
  EXPECT_TRUE(
      test::run_until(limited.worker.loop, [&] { return waiting.handshakes_of_source() == 1; }));
}

TEST_F(HandshakeQueueTest, StartsNoHandshakeIfTheClientHasLeft) {
  test::TcpClient client(test.port());
  ASSERT_TRUE(client.send("\x16"));
  client.close();
  Connection::start(test.accept(), add_reference(test.context), test.worker);
  ASSERT_TRUE(
      test::run_until(test.worker.loop, [&] { return test.worker.connections.size() == 0; }));
  EXPECT_EQ(test.metrics.handshake_failure(HandshakeFailure::other).value(), 1U);
  EXPECT_EQ(started(), 0U);
}

TEST_F(HandshakeQueueTest, CountsAConnectionThatWaitsTooLong) {
  test::TestWorker limited({.max_handshakes = 1});
  for (int i = 0; i < 2; ++i) {
    clients.push_back(std::make_unique<test::TcpClient>(limited.port()));
    ASSERT_TRUE(clients.back()->send("\x16"));
    Connection::start(limited.accept(), add_reference(limited.context), limited.worker);
  }
  limited.worker.loop.run_for(std::chrono::milliseconds(200));  // one waits in the queue
  limited.worker.connections.for_each([&](TrackedConnection& each) {
    static_cast<Connection&>(each).check_deadline(Clock::now() + limited.limits.handshake_timeout);
  });
  EXPECT_EQ(limited.metrics.connections_closed.value(), 1U) << "the queue destroys it at once";
  EXPECT_EQ(limited.metrics.refusals.in_handshake_queue.value(), 1U);
  EXPECT_EQ(limited.metrics.handshake_failure(HandshakeFailure::other).value(), 1U);
}

}  // namespace
}  // namespace winadmit::server
