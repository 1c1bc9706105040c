// The end of the server after SIGTERM.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/eventually.hpp"
#include "tests/server/transport/test_server.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

/// Returns when the server drains: it accepts no more connections.
void drain(const TestServer& server) {
  TestServer::send_sigterm();
  EXPECT_TRUE(eventually([&] { return TcpClient(server.port()).descriptor() < 0; }));
}

TEST(DrainWire, ClosesIdleConnectionsAndAnswersRequestsThatHaveBegun) {
  TestServer server([](server::Options& options) { options.drain_delay = 700ms; });
  TlsClient idle(server.port());
  ASSERT_FALSE(idle.post(review("before")).has_connection_close());
  TlsClient busy(server.port());
  const std::string request = post_request(review("busy", 100'000));
  busy.send(request.substr(0, request.size() / 2));
  ASSERT_TRUE(busy.wait_until_read());

  const auto start = steady_clock::now();
  TestServer::send_sigterm();
  EXPECT_TRUE(eventually([&] { return server.admin("/readyz").starts_with("503 "); }));
  EXPECT_EQ(server.admin("/healthz"), "200 ok\n");
  // Requests still come until all endpoints are updated. Each reply closes its connection.
  TlsClient late(server.port());
  const Reply last = late.post(review("late"));
  EXPECT_TRUE(answers(last, "late"));
  EXPECT_TRUE(last.has_connection_close());

  EXPECT_TRUE(idle.wait_for_close());
  busy.send(request.substr(request.size() / 2));
  const Reply finished = busy.read_reply();
  EXPECT_TRUE(answers(finished, "busy"));
  EXPECT_TRUE(finished.has_connection_close());
  EXPECT_TRUE(busy.wait_for_close());
  busy.close();
  server.join();
  EXPECT_LT(steady_clock::now() - start, 4s) << "it stops when the last connection is closed";
}

/// As Ctrl-C twice.
TEST(DrainWire, StopsAtOnceAtASecondSignal) {
  TestServer server([](server::Options& options) {
    options.drain_delay = 60s;
    options.drain_timeout = 60s;
  });
  TlsClient busy(server.port());
  const std::string request = post_request(review("busy", 100'000));
  busy.send(request.substr(0, request.size() / 2));
  TestServer::send_sigterm();
  EXPECT_TRUE(eventually([&] { return server.admin("/readyz").starts_with("503 "); }));
  const auto second = steady_clock::now();
  TestServer::send_sigterm();
  server.join();
  EXPECT_LT(steady_clock::now() - second, 30s);
}

/// Sends the requests of 200 clients and SIGTERM while the event loop is busy. Returns how many are
/// answered.
int answered_while_draining() {
  TestServer server([](server::Options& options) { options.threads = 1; });
  std::vector<std::unique_ptr<TlsClient>> clients;
  for (int i = 0; i < 200; ++i) {
    clients.push_back(std::make_unique<TlsClient>(server.port()));
    EXPECT_TRUE(answers(clients.back()->post(review("before")), "before"));
  }
  // This request keeps the event loop busy for some milliseconds.
  const std::string long_request = post_request(review_with_findings("long", 20'000));
  EXPECT_TRUE(clients[0]->send(long_request));
  std::this_thread::sleep_for(1ms);
  TestServer::send_sigterm();
  for (std::size_t i = 1; i < clients.size(); ++i) {
    clients[i]->send(post_request(review(std::to_string(i))));
  }
  int answered = answers(clients[0]->read_reply(), "long") ? 1 : 0;
  for (std::size_t i = 1; i < clients.size(); ++i) {
    if (answers(clients[i]->read_reply(), std::to_string(i))) ++answered;
    EXPECT_TRUE(clients[i]->wait_for_close());
  }
  server.join();
  return answered;
}

TEST(DrainWire, AnswersRequestsThatHaveArrived) {
  // On a busy machine some requests are sent too late. One try without that is enough.
  int answered = 0;
  for (int i = 0; i < 5 && answered < 200; ++i) answered = answered_while_draining();
  EXPECT_EQ(answered, 200);
}

TEST(DrainWire, AnswersALargeReviewInProgress) {
  TestServer server;
  TlsClient client(server.port());
  ASSERT_TRUE(client.send(post_request(review("large", 6'000'000))));
  TestServer::send_sigterm();
  EXPECT_TRUE(answers(client.read_reply(), "large"));
  EXPECT_TRUE(client.wait_for_close());
  server.join();
}

TEST(DrainWire, ServesAClientDuringItsHandshake) {
  TestServer server([](server::Options& options) { options.drain_delay = 200ms; });
  std::vector<std::thread> clients;
  std::atomic<int> answered = 0;
  const TcpClient incomplete(server.port());
  incomplete.send("\x16\x03\x01\x02");
  ASSERT_TRUE(server.reaches_metric("winadmit_connections 1"));
  TestServer::send_sigterm();
  const auto start = steady_clock::now();
  // The last handshakes begin just before the server drains.
  for (int i = 0; i < 20; ++i) {
    clients.emplace_back([&] {
      std::this_thread::sleep_until(start + 190ms);
      TlsClient client(server.port());
      if (!client.connected()) return answered += 1;  // the port was closed
      return answered += answers(client.post(review("last")), "last") ? 1 : 0;
    });
  }
  for (std::thread& client : clients) client.join();
  EXPECT_EQ(answered, 20);
  server.join();
}

TEST(DrainWire, ServesAClientThatHasOnlyConnected) {
  TestServer server;
  ASSERT_TRUE(serves_a_new_client(server));
  TlsClient client(server.port(), {.before_hello = [&] { drain(server); }});
  EXPECT_TRUE(answers(client.post(review("late")), "late"));
  server.join();
}

TEST(DrainWire, ServesTheFirstRequestAfterAHandshake) {
  TestServer server([](server::Options& options) { options.drain_delay = 0ms; });
  TlsClient client(server.port());
  ASSERT_TRUE(client.connected());
  ASSERT_TRUE(client.wait_until_read()) << "the handshake has ended on the server as well";
  drain(server);
  EXPECT_TRUE(answers(client.post(review("first")), "first"));
  server.join();
}

TEST(DrainWire, AnswersARequestOfWhichAPartOfATlsRecordHasArrived) {
  for (const std::size_t part : {1U, 4U, 5U, 100U}) {
    TestServer server([](server::Options& options) { options.drain_delay = 0ms; });
    TlsClient client(server.port());
    ASSERT_TRUE(answers(client.post(review("first")), "first"));
    ASSERT_TRUE(
        client.send_in_two_parts(post_request(review("second")), part, [&] { drain(server); }));
    EXPECT_TRUE(answers(client.read_reply(), "second")) << part << " bytes";
    EXPECT_TRUE(client.wait_for_close());
    server.join();
  }
}

TEST(DrainWire, DoesNotWaitLongForTheRestOfATlsRecord) {
  TestServer server([](server::Options& options) { options.drain_delay = 0ms; });
  TlsClient client(server.port());
  ASSERT_TRUE(answers(client.post(review("first")), "first"));
  ASSERT_TRUE(client.send_part_of_record(post_request(review("second"))));
  ASSERT_TRUE(client.wait_until_read());
  const auto start = steady_clock::now();
  server.stop();
  EXPECT_LT(steady_clock::now() - start, 3s);
}

TEST(DrainWire, StopsAtOnceWithoutConnections) {
  TestServer server;
  const auto start = steady_clock::now();
  server.stop();
  EXPECT_LT(steady_clock::now() - start, 2s);
}

TEST(DrainWire, DoesNotWaitForAnIncompleteHandshake) {
  TestServer server;
  const TcpClient incomplete(server.port());
  incomplete.send("\x16\x03\x01\x02");
  ASSERT_TRUE(server.reaches_metric("winadmit_connections 1"));
  const auto start = steady_clock::now();
  server.stop();
  EXPECT_LT(steady_clock::now() - start, 2s);
}

}  // namespace
}  // namespace winadmit::test
