// Many clients at once: each is served, whatever the others do.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/transport/test_server.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(LoadWire, ServesManyClientsAtOnce) {
  const TestServer server;
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      TlsClient client(server.port());
      for (int i = 0; i < 25; ++i) {
        const std::string uid = std::to_string(c) + '-' + std::to_string(i);
        const std::size_t size = (i % 5 == 0) ? 150'000 : 500;
        if (answers(client.post(review(uid, size), i % 2 == 0 ? "/mutate" : "/validate"), uid)) {
          ++answered;
        }
      }
    });
  }
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(server.admin("/metrics").starts_with("200 "));
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, 200);
  const std::string metrics = server.admin("/metrics");
  EXPECT_NE(metrics.find("winadmit_request_duration_seconds_count 200\n"), std::string::npos);
  EXPECT_NE(metrics.find("winadmit_requests_total{path=\"/mutate\",decision=\"patched\"} 104\n"),
            std::string::npos);
}

TEST(LoadWire, KeepsConnectionsApartWhenLargeRequestsArePipelined) {
  // Replies are not read while requests are sent, so the server has to wait between them.
  const TestServer server([](server::Options& options) { options.threads = 1; });
  constexpr int kClients = 3, kRequests = 30;
  const auto uid_of = [](int c, int i) {
    return std::to_string(c) + '-' + std::to_string(i) + std::string(200, 'u');
  };
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&, c] {
      TlsClient client(server.port());
      std::string all;
      for (int i = 0; i < kRequests; ++i) {
        all += post_request(review(uid_of(c, i), 60'000 + static_cast<std::size_t>(i) * 777));
        if (i % 10 != 9) continue;
        client.send(all);
        all.clear();
        for (int j = i - 9; j <= i; ++j) answered += answers(client.read_reply(), uid_of(c, j));
      }
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, kClients * kRequests);
}

TEST(LoadWire, ServesSmallReviewsDuringALargeOne) {
  const TestServer server([](server::Options& options) { options.threads = 1; });
  TlsClient large(server.port());
  TlsClient small(server.port());
  for (int i = 0; i < 5; ++i) {
    const std::string uid = std::to_string(i);
    ASSERT_TRUE(large.send(post_request(review(uid, 2'000'000))));
    ASSERT_TRUE(answers(small.post(review("small")), "small"));
    ASSERT_TRUE(answers(large.read_reply(), uid));
  }
}

TEST(LoadWire, EvictsTheLeastRecentlyUsedConnectionAtTheLimit) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.max_connections = 3;
  });
  std::vector<std::unique_ptr<TlsClient>> held;
  for (int i = 0; i < 3; ++i) {
    held.push_back(std::make_unique<TlsClient>(server.port()));
    ASSERT_TRUE(answers(held.back()->post(review("a")), "a"));
  }
  ASSERT_TRUE(
      answers(held[0]->post(review("b")), "b"));  // now the second is the least recently used
  EXPECT_TRUE(serves_a_new_client(server));
  EXPECT_TRUE(held[1]->wait_for_close());
  EXPECT_TRUE(answers(held[0]->post(review("c")), "c"));
  EXPECT_TRUE(server.reaches_metric("winadmit_connections_evicted_total{for=\"connections\"} 1"));
}

TEST(LoadWire, NoThreadIsFullBeforeTheOthers) {
  const TestServer server([](server::Options& options) {
    options.threads = 2;
    options.limits.max_connections = 4;
  });
  std::vector<std::unique_ptr<TlsClient>> held;
  for (int i = 0; i < 4; ++i) {
    {
      const TcpClient probe(server.port());
    }
    ASSERT_TRUE(server.reaches_metric("winadmit_connections_total " + std::to_string(2 * i + 1)));
    ASSERT_TRUE(server.reaches_metric("winadmit_connections " + std::to_string(i)));
    held.push_back(std::make_unique<TlsClient>(server.port()));
    ASSERT_TRUE(answers(held.back()->post(review("a")), "a"));
  }
  EXPECT_TRUE(server.reaches_metric("winadmit_connections 4"));
  EXPECT_TRUE(server.reaches_metric("winadmit_connections_evicted_total{for=\"connections\"} 0"));
  EXPECT_TRUE(server.reaches_metric("winadmit_connections_limit 4"));
}

TEST(LoadWire, AllThreadsTogetherStayWithinTheLimit) {
  const TestServer server([](server::Options& options) {
    options.threads = 2;
    options.limits.max_connections = 3;
  });
  EXPECT_TRUE(server.reaches_metric("winadmit_connections_limit 2")) << "one for each thread";
  std::vector<std::unique_ptr<TlsClient>> held;
  for (int i = 0; i < 6; ++i) {
    held.push_back(std::make_unique<TlsClient>(server.port()));
    ASSERT_TRUE(answers(held.back()->post(review("a")), "a"));
  }
  EXPECT_TRUE(server.reaches_metric("winadmit_connections 2")) << "one for each thread";
}

TEST(LoadWire, ServesANewClientWhileOthersHoldEveryConnection) {
  const TestServer server([](server::Options& options) { options.limits.max_connections = 8; });
  std::vector<std::unique_ptr<TlsClient>> held;
  for (int i = 0; i < 30; ++i) {
    held.push_back(std::make_unique<TlsClient>(server.port()));
    held.back()->send(kPostHeader);  // the beginning of a request
    ASSERT_TRUE(serves_a_new_client(server)) << i;
  }
}

TEST(LoadWire, ServesANewClientWhileHandshakesAreStuck) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.max_handshakes = 2;
  });
  std::array<TcpClient, 4> stuck{TcpClient(server.port()), TcpClient(server.port()),
                                 TcpClient(server.port()), TcpClient(server.port())};
  for (const TcpClient& each : stuck) ASSERT_TRUE(each.send("\x16\x03\x01\x02"));
  ASSERT_TRUE(server.reaches_metric("winadmit_connections 4"));
  const auto start = steady_clock::now();
  EXPECT_TRUE(serves_a_new_client(server));
  EXPECT_LT(steady_clock::now() - start, 8s) << "before the handshake timeout";
}

TEST(LoadWire, AnswersProbesWhileTheAdminPortIsFullOfIdleConnections) {
  const TestServer server;
  std::vector<std::unique_ptr<TcpClient>> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<TcpClient>(server.admin_port()));
  const auto start = steady_clock::now();
  EXPECT_EQ(server.admin("/healthz"), "200 ok\n");
  EXPECT_LT(steady_clock::now() - start, 5s);
}

}  // namespace
}  // namespace winadmit::test
