// Which connection serves a request, and when.
#include "server/transport/request_queue.hpp"

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
  test.worker.connections.for_each([&](TrackedConnection& each) {
    static_cast<Connection&>(each).check_deadline(idle_since + test.limits.idle_timeout);
  });
  EXPECT_TRUE(test::run_until(test.worker.loop,
                              [&] { return test.metrics.connections_closed.value() == 1; }));
}

TEST_F(RequestQueueTest, DestroysAConnectionThatIsClosedWhileItWaits) {
  test::TlsClient& client = connect(kOneClient);
  client.send(test::post_request(test::review("a")));
  client.wait_until_received();
  ASSERT_EQ(poll(), 1U) << "now it waits for its turn";
  test.worker.connections.evict_one();
  EXPECT_TRUE(test::run_until(test.worker.loop,
                              [&] { return test.metrics.connections_closed.value() == 1; }));
  EXPECT_EQ(served("/validate"), 0U);
}

}  // namespace
}  // namespace winadmit::server
