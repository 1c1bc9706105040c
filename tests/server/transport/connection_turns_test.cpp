// Connections whose requests, or handshakes, wait for their turn.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/transport/connection.hpp"
#include "tests/server/transport/test_worker.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;

constexpr const char* kOneClient = "10.0.0.1";
constexpr const char* kOtherClient = "10.0.0.2";

/// More than half of the timeout of a connection without a request: then a first request is late.
constexpr auto kUntilLate = 600ms;

struct ConnectionTurns : testing::Test {
  /// A client after its handshake, which counts as one of this source.
  test::TlsClient& connect(const char* source) {
    std::jthread server([this, source] {
      start(source, test);
      bool has_begun = false;
      test::run_until(test.worker.loop, [&] {
        has_begun |= test.worker.table.handshakes() > 0;
        return has_begun && test.worker.table.handshakes() == 0;
      });
    });
    clients.push_back(std::make_unique<test::TlsClient>(test.port()));
    server.join();
    EXPECT_TRUE(clients.back()->connected());
    while (poll() > 0) {
    }  // what follows the handshake
    return *clients.back();
  }

  static Connection& start(const char* source, test::TestWorker& to) {
    return Connection::start(to.accept(), asio::ip::make_address(source), add_reference(to.context),
                             to.worker);
  }

  /// A client whose request waits for its turn.
  test::TlsClient& wait_for_turn() {
    test::TlsClient& client = connect(kOneClient);
    client.send(test::post_request(test::review("a")));
    client.wait_until_received();
    EXPECT_EQ(poll(), 1U);
    EXPECT_FALSE(test.worker.turns.empty());
    return client;
  }

  /// Forty requests of which eight are served, and another one of the same source after a wait.
  void send_after_wait() {
    while (clients.size() < 41) connect(kOneClient);
    for (std::size_t i = 0; i < 40; ++i) clients[i]->send(test::post_request(test::review("a")));
    for (std::size_t i = 0; i < 40; ++i) clients[i]->wait_until_received();
    ASSERT_TRUE(serves("/validate"));
    std::this_thread::sleep_for(kUntilLate);
    clients.back()->send(test::post_request(test::review("b"), "/mutate"));
    clients.back()->wait_until_received();
  }

  static void check_deadlines(test::TestWorker& of, Clock::time_point now) {
    for (Connection& each : of.worker.connections) each.check_deadline(now);
  }
  void check_deadlines(Clock::time_point now) { check_deadlines(test, now); }

  bool is_closed() {
    return test::run_until(test.worker.loop,
                           [&] { return test.metrics.connections_closed.value() == 1; });
  }

  /// Whether the only connection is closed for this reason, and without a request served.
  bool closes_for(BadRequestReason reason) {
    return is_closed() && test.metrics.bad_request(reason).value() == 1 && served("/validate") == 0;
  }

  /// Runs one handler that is ready.
  std::size_t poll() {
    test.worker.loop.restart();
    return test.worker.loop.poll_one();
  }

  std::uint64_t served(std::string_view path) const {
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < kRoutes.size(); ++i) {
      if (kRoutes[i].path != path) continue;
      for (const Counter& counter : test.metrics.reviews[i]) sum += counter.value();
    }
    return sum;
  }

  bool serves(std::string_view path) {
    return test::run_until(test.worker.loop, [&] { return served(path) > 0; });
  }

  test::TestWorker test;
  std::vector<std::unique_ptr<test::TlsClient>> clients;
};

TEST_F(ConnectionTurns, ServeASourceBeforeThePipelinedRequestsOfAnother) {
  std::string requests;
  for (int i = 0; i < 50; ++i) requests += test::post_request(test::review("a"));
  connect(kOneClient).send(requests);
  ASSERT_TRUE(serves("/validate"));
  test::TlsClient& other = connect(kOtherClient);
  other.send(test::post_request(test::review("b"), "/mutate"));
  other.wait_until_received();
  const std::uint64_t before = served("/validate");
  ASSERT_TRUE(serves("/mutate"));
  EXPECT_LE(served("/validate"), before + 7) << "a turn serves eight requests";
}

TEST_F(ConnectionTurns, ServeLateRequestsAfterNewerOnes) {
  send_after_wait();
  ASSERT_TRUE(serves("/mutate"));
  EXPECT_LE(served("/validate"), 23U) << "three turns, which serve eight requests each";
  EXPECT_TRUE(test::run_until(test.worker.loop, [&] { return served("/validate") == 40; }));
}

TEST_F(ConnectionTurns, ServeRequestsInOrderUntilHalfOfTheLastTimeoutHasPassed) {
  for (int i = 0; i < 41; ++i) {
    connect(kOneClient).send(test::post_request(test::review("a"), "/validate/warn?timeout=10s"));
  }
  for (const auto& client : clients) client->wait_until_received();
  ASSERT_TRUE(test::run_until(test.worker.loop, [&] { return served("/validate/warn") == 41; }));
  send_after_wait();
  ASSERT_TRUE(serves("/mutate"));
  EXPECT_EQ(served("/validate"), 40U);
}

TEST_F(ConnectionTurns, ServeNoClientThatHasGivenUp) {
  test::TlsClient& client = wait_for_turn();
  client.close();
  std::this_thread::sleep_for(2 * kUntilLate);
  EXPECT_TRUE(closes_for(BadRequestReason::aborted));
}

TEST_F(ConnectionTurns, CloseAConnectionWhoseClientGivesUpWhileItWaits) {
  wait_for_turn().close();
  check_deadlines(Clock::now() + 1s);
  EXPECT_TRUE(closes_for(BadRequestReason::aborted));
}

TEST_F(ConnectionTurns, ServeAClientThatSendsNoMoreButWaits) {
  wait_for_turn();
  check_deadlines(Clock::now() + 1s);
  EXPECT_TRUE(serves("/validate"));
}

TEST_F(ConnectionTurns, RefuseARequestWhoseTimeoutEndsWhileItWaits) {
  test::TlsClient& client = connect(kOneClient);
  client.send(test::post_request(test::review("a"), "/validate?timeout=1ms"));
  client.wait_until_received();
  ASSERT_EQ(poll(), 1U) << "now it waits for its turn";
  std::this_thread::sleep_for(5ms);
  EXPECT_TRUE(test::run_until(test.worker.loop, [&] {
    return test.metrics.bad_request(BadRequestReason::timeout).value() == 1;
  }));
  EXPECT_EQ(served("/validate"), 0U);
  EXPECT_EQ(client.read_reply().status, 503);
}

TEST_F(ConnectionTurns, DoNotProlongTheWaitWithoutARequest) {
  test::TlsClient& client = connect(kOneClient);
  const auto idle_since = Clock::now();
  std::this_thread::sleep_for(20ms);
  client.send_part_of_record("POST");
  client.wait_until_received();
  while (poll() > 0) {
  }
  check_deadlines(idle_since + test.limits.idle_timeout);
  EXPECT_TRUE(is_closed());
}

TEST_F(ConnectionTurns, ServeNoConnectionThatIsClosedWhileItWaits) {
  wait_for_turn();
  test.worker.table.end_one();
  EXPECT_EQ(test.worker.table.size(), 0U);
  EXPECT_TRUE(is_closed());
  EXPECT_TRUE(test.worker.turns.empty());
  EXPECT_EQ(served("/validate"), 0U);
}

TEST_F(ConnectionTurns, BeginNoHandshakeIfTheClientHasLeft) {
  test::TcpClient client(test.port());
  ASSERT_TRUE(client.send("\x16"));
  client.close();
  start(kOneClient, test);
  EXPECT_TRUE(is_closed());
  EXPECT_EQ(test.metrics.handshake_failure(HandshakeFailure::other).value(), 1U);
}

TEST_F(ConnectionTurns, CountAHandshakeThatWaitsTooLong) {
  test::TestWorker limited({.max_handshakes = 1});
  std::vector<std::unique_ptr<test::TcpClient>> silent;
  for (int i = 0; i < 2; ++i) {
    silent.push_back(std::make_unique<test::TcpClient>(limited.port()));
    ASSERT_TRUE(silent.back()->send("\x16"));
    start(kOneClient, limited);
  }
  limited.worker.loop.run_for(200ms);
  EXPECT_EQ(limited.worker.table.handshakes(), 1U);
  check_deadlines(limited, Clock::now() + limited.limits.handshake_timeout);
  limited.worker.loop.restart();
  limited.worker.loop.run_for(200ms);
  EXPECT_EQ(limited.metrics.connections_closed.value(), 2U);
  EXPECT_EQ(limited.metrics.refusals.in_handshake_queue.value(), 1U);
  EXPECT_EQ(limited.metrics.handshake_failure(HandshakeFailure::other).value(), 1U);
}

}  // namespace
}  // namespace winadmit::server
