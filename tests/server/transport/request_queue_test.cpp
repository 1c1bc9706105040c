// Which connection serves a request, and when.
#include "server/transport/request_queue.hpp"

#include <gtest/gtest.h>

#include <boost/asio/post.hpp>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "server/transport/connection.hpp"
#include "tests/server/transport/handshake.hpp"
#include "tests/server/transport/test_worker.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::server {
namespace {

using namespace std::chrono_literals;

constexpr const char* kOneClient = "10.0.0.1";
constexpr const char* kOtherClient = "10.0.0.2";

/// More than half of the timeout of a connection without a request: then a first request is late.
constexpr auto kUntilLate = 600ms;

/// The first bytes of a client.
std::string client_hello() {
  const test::ContextPointer context = test::make_client();
  const test::SessionPointer session(SSL_new(context.get()));
  BIO* const sent = BIO_new(BIO_s_mem());
  SSL_set_bio(session.get(), BIO_new(BIO_s_mem()), sent);
  SSL_set_connect_state(session.get());
  SSL_do_handshake(session.get());
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(sent, &bytes);
  return {bytes, static_cast<std::size_t>(size)};
}

struct RequestQueueTest : testing::Test {
  /// A client after its handshake, which counts as one of this source.
  test::TlsClient& connect(const char* source) {
    std::jthread server([this, source] {
      auto accepted = std::make_unique<Connection>(test.accept(), asio::ip::make_address(source),
                                                   add_reference(test.context), test.worker);
      test.worker.handshakes.push(std::move(accepted));
      test::run_until(test.worker.loop,
                      [this] { return test.worker.connections.handshakes() == 0; });
    });
    clients.push_back(std::make_unique<test::TlsClient>(test.port()));
    server.join();
    EXPECT_TRUE(clients.back()->connected());
    while (poll() > 0) {
    }  // what follows the handshake
    return *clients.back();
  }

  std::unique_ptr<Connection> accept_after(const std::string& bytes) {
    new_clients.push_back(std::make_unique<test::TcpClient>(test.port()));
    auto accepted =
        std::make_unique<Connection>(test.accept(), asio::ip::make_address(kOtherClient),
                                     add_reference(test.context), test.worker);
    EXPECT_TRUE(new_clients.back()->send(bytes));
    new_clients.back()->wait_until_received();
    return accepted;
  }

  /// Whether a handshake right after another one waits as long as requests do.
  bool makes_handshake_wait() {
    for (const auto& client : clients) client->send(test::post_request(test::review("a")));
    for (const auto& client : clients) client->wait_until_received();
    for (std::size_t i = 0; i < clients.size(); ++i) EXPECT_EQ(poll(), 1U);
    const std::size_t before = test.worker.connections.handshakes();
    asio::post(test.worker.loop,
               [&, first = accept_after(client_hello()), second = accept_after("\x16")]() mutable {
                 test.worker.handshakes.push(std::move(first));
                 test.worker.handshakes.push(std::move(second));
               });
    const auto started = [&] { return test.worker.connections.handshakes() - before; };
    while (started() < 2 && !test.worker.requests.empty()) poll();
    EXPECT_GE(started(), 1U) << "a turn serves eight requests";
    return started() == 1;
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

  /// A client whose request waits for its turn.
  test::TlsClient& wait_for_turn() {
    test::TlsClient& client = connect(kOneClient);
    client.send(test::post_request(test::review("a")));
    client.wait_until_received();
    EXPECT_EQ(poll(), 1U);
    EXPECT_FALSE(test.worker.requests.empty());
    return client;
  }

  /// Clients of one source whose requests wait for their turn, the last one's for /mutate.
  void wait_for_turns(int count) {
    for (int i = 0; i < count; ++i) connect(kOneClient);
    for (const auto& client : clients) {
      const bool is_last = client == clients.back();
      client->send(test::post_request(test::review("a"), is_last ? "/mutate" : "/validate"));
      client->wait_until_received();
    }
    for (int i = 0; i < count; ++i) EXPECT_EQ(poll(), 1U);
    EXPECT_FALSE(test.worker.requests.empty());
  }

  void check_deadlines(Clock::time_point now) {
    test.worker.connections.for_each(
        [now](TrackedConnection& each) { static_cast<Connection&>(each).check_deadline(now); });
  }

  /// Whether the only connection is closed for this reason, and without a request served.
  bool closes_for(BadRequestReason reason) {
    return test::run_until(test.worker.loop,
                           [&] { return test.metrics.connections_closed.value() == 1; }) &&
           test.metrics.bad_request(reason).value() == 1 && served("/validate") == 0;
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
  std::vector<std::unique_ptr<test::TcpClient>> new_clients;
};

TEST_F(RequestQueueTest, ServesASourceBeforeFurtherConnectionsOfAnother) {
  for (int i = 0; i < 20; ++i) connect(kOneClient);
  connect(kOtherClient);
  for (auto& client : clients) {
    const bool is_last = client == clients.back();
    client->send(test::post_request(test::review("a"), is_last ? "/mutate" : "/validate"));
    client->wait_until_received();
  }
  ASSERT_TRUE(serves("/mutate"));
  EXPECT_LE(served("/validate"), 7U) << "a turn serves eight requests";
  EXPECT_TRUE(test::run_until(test.worker.loop, [&] { return served("/validate") == 20; }));
}

TEST_F(RequestQueueTest, ServesASourceBeforeThePipelinedRequestsOfAnother) {
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

TEST_F(RequestQueueTest, LeavesTimeToRequestsAfterAHandshake) {
  for (int i = 0; i < 17; ++i) connect(kOneClient);
  bool has_waited = false;
  // Not if the system stops this process meanwhile for longer than the time of the requests.
  for (int i = 0; i < 20 && !has_waited; ++i) {
    has_waited = makes_handshake_wait();
    while (poll() > 0) {
    }
    for (const auto& client : clients) client->read_reply();
  }
  EXPECT_TRUE(has_waited);
  EXPECT_EQ(test.worker.connections.handshakes(), new_clients.size()) << "then it starts";
}

TEST_F(RequestQueueTest, ServesLateRequestsAfterNewerOnes) {
  send_after_wait();
  ASSERT_TRUE(serves("/mutate"));
  EXPECT_LE(served("/validate"), 23U) << "three turns, which serve eight requests each";
  EXPECT_TRUE(test::run_until(test.worker.loop, [&] { return served("/validate") == 40; }));
}

TEST_F(RequestQueueTest, ServesTheRequestsOfASourceInTheOrderOfArrival) {
  wait_for_turns(9);
  EXPECT_EQ(poll(), 1U);
  EXPECT_EQ(served("/validate"), 8U) << "a turn serves eight requests";
  EXPECT_EQ(served("/mutate"), 0U);
  EXPECT_TRUE(serves("/mutate"));
}

TEST_F(RequestQueueTest, ClosesALateConnectionWithoutTheOthersOfItsSource) {
  wait_for_turns(10);
  std::this_thread::sleep_for(kUntilLate);
  EXPECT_EQ(poll(), 1U) << "a turn serves the oldest eight";
  clients[8]->close();
  check_deadlines(Clock::now() + 1s);
  EXPECT_EQ(test.metrics.connections_closed.value(), 1U);
  EXPECT_FALSE(test.worker.requests.empty());
  EXPECT_TRUE(serves("/mutate"));
  EXPECT_EQ(served("/validate"), 8U);
}

TEST_F(RequestQueueTest, KeepsOthersIfAConnectionIsClosedThatItHasTakenOut) {
  const std::unique_ptr<Connection> other = accept_after("\x16");
  test.worker.requests.remove(*other, other->source());
  wait_for_turn();
  test.worker.requests.remove(*other, asio::ip::make_address(kOneClient));
  EXPECT_FALSE(test.worker.requests.empty());
  EXPECT_TRUE(serves("/validate"));
}

TEST_F(RequestQueueTest, ServesNoConnectionThatIsClosedBeforeItsPlaceInTheTurn) {
  std::unique_ptr<Connection> closed = accept_after("\x16");
  test.worker.connections.evict_one();
  Connection::serve_turn(std::move(closed));
  EXPECT_EQ(test.metrics.connections_closed.value(), 1U);
  EXPECT_EQ(test.metrics.bad_request(BadRequestReason::aborted).value(), 0U);
}

TEST_F(RequestQueueTest, ServesSomeLateRequestsAlthoughNewerOnesWait) {
  for (int i = 0; i < 80; ++i) connect(kOneClient);
  const auto send = [&](std::size_t begin, const char* path) {
    for (std::size_t i = begin; i < begin + 40; ++i)
      clients[i]->send(test::post_request(test::review("a"), path));
    for (std::size_t i = begin; i < begin + 40; ++i) clients[i]->wait_until_received();
  };
  send(0, "/validate");
  ASSERT_TRUE(serves("/validate"));  // eight of them, and eight more before it sees the others
  std::this_thread::sleep_for(kUntilLate);
  send(40, "/mutate");
  ASSERT_TRUE(test::run_until(test.worker.loop, [&] { return served("/mutate") == 40; }));
  EXPECT_GE(served("/validate"), 20U);
  EXPECT_LT(served("/validate"), 40U);
}

TEST_F(RequestQueueTest, ServesRequestsInOrderUntilHalfOfTheLastTimeoutHasPassed) {
  for (int i = 0; i < 41; ++i) {
    connect(kOneClient).send(test::post_request(test::review("a"), "/validate/warn?timeout=10s"));
  }
  for (const auto& client : clients) client->wait_until_received();
  ASSERT_TRUE(test::run_until(test.worker.loop, [&] { return served("/validate/warn") == 41; }));
  send_after_wait();
  ASSERT_TRUE(serves("/mutate"));
  EXPECT_EQ(served("/validate"), 40U);
}

TEST_F(RequestQueueTest, ServesNoClientThatHasGivenUp) {
  test::TlsClient& client = wait_for_turn();
  client.close();
  std::this_thread::sleep_for(2 * kUntilLate);
  EXPECT_TRUE(closes_for(BadRequestReason::aborted));
}

TEST_F(RequestQueueTest, ClosesAConnectionWhoseClientGivesUpWhileItWaits) {
  wait_for_turn().close();
  check_deadlines(Clock::now() + 1s);
  EXPECT_TRUE(closes_for(BadRequestReason::aborted));
}

TEST_F(RequestQueueTest, ServesAClientThatSendsNoMoreButWaits) {
  wait_for_turn();
  check_deadlines(Clock::now() + 1s);
  EXPECT_TRUE(serves("/validate"));
}

TEST_F(RequestQueueTest, RefusesARequestWhoseTimeoutEndsWhileItWaits) {
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

TEST_F(RequestQueueTest, ATurnWithoutARequestDoesNotProlongTheWait) {
  test::TlsClient& client = connect(kOneClient);
  const auto idle_since = Clock::now();
  std::this_thread::sleep_for(20ms);
  client.send_part_of_record("POST");
  client.wait_until_received();
  while (poll() > 0) {
  }
  check_deadlines(idle_since + test.limits.idle_timeout);
  EXPECT_TRUE(test::run_until(test.worker.loop,
                              [&] { return test.metrics.connections_closed.value() == 1; }));
}

TEST_F(RequestQueueTest, DestroysAConnectionThatIsClosedWhileItWaits) {
  wait_for_turn();
  test.worker.connections.evict_one();
  EXPECT_EQ(test.metrics.connections_closed.value(), 1U);
  EXPECT_TRUE(test.worker.requests.empty());
  while (poll() > 0) {
  }
  EXPECT_EQ(served("/validate"), 0U);
}

}  // namespace
}  // namespace winadmit::server
