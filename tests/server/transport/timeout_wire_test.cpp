// How long the server waits for a client.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "tests/server/transport/test_server.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(TimeoutWire, ClosesSlowConnections) {
  const TestServer server([](server::Options& options) {
    options.limits.handshake_timeout = 500ms;
    options.limits.request_timeout = 700ms;
    options.limits.idle_timeout = 700ms;
  });
  const auto expect_at_least = [](steady_clock::duration least, auto&& wait) {
    const auto start = steady_clock::now();
    wait();
    const auto took = steady_clock::now() - start;
    EXPECT_GE(took, least);
    EXPECT_LT(took, 6s);
  };
  {
    SCOPED_TRACE("never sends");
    const TcpClient silent(server.port());
    expect_at_least(400ms, [&] { EXPECT_TRUE(silent.wait_for_close()); });
  }
  {
    SCOPED_TRACE("idle after the handshake");
    TlsClient client(server.port());
    expect_at_least(500ms, [&] { EXPECT_TRUE(client.wait_for_close()); });
  }
  {
    SCOPED_TRACE("a request byte by byte");
    TlsClient client(server.port());
    const std::string request = post_request(review("slow"));
    expect_at_least(500ms, [&] {
      std::size_t sent = 0;
      while (sent < request.size() && client.send(std::string_view(request).substr(sent, 1))) {
        ++sent;
        std::this_thread::sleep_for(100ms);
      }
      EXPECT_LT(sent, request.size());
    });
  }
  EXPECT_TRUE(serves_a_new_client(server));
  EXPECT_TRUE(server.reaches_metric("winadmit_bad_requests_total{reason=\"timeout\"} 1"))
      << "the one with the beginning of a request";
}

TEST(TimeoutWire, EndsTheSessionOfAnIdleConnection) {
  const TestServer server([](server::Options& options) { options.limits.idle_timeout = 300ms; });
  TlsClient client(server.port());
  ASSERT_TRUE(answers(client.post(review("a")), "a"));
  EXPECT_TRUE(client.wait_for_close_notify());
  EXPECT_TRUE(server.reaches_metric("winadmit_bad_requests_total{reason=\"timeout\"} 0"));
}

TEST(TimeoutWire, ClosesAnIdleConnectionWithAPartOfARecord) {
  const TestServer server([](server::Options& options) { options.limits.idle_timeout = 300ms; });
  TlsClient client(server.port());
  ASSERT_TRUE(answers(client.post(review("a")), "a"));
  ASSERT_TRUE(client.send_part_of_record(post_request(review("b"))));
  EXPECT_TRUE(client.wait_for_close());
}

TEST(TimeoutWire, ClosesARequestAtTheTimeoutOfTheApiServer) {
  const TestServer server([](server::Options& options) { options.limits.request_timeout = 60s; });
  TlsClient client(server.port());
  client.send("POST /validate?timeout=100ms HTTP/1.1\r\nHost: h\r\nContent-Length: 10\r\n\r\n");
  EXPECT_TRUE(client.wait_for_close());
  EXPECT_TRUE(server.reaches_metric("winadmit_bad_requests_total{reason=\"timeout\"} 1"));
}

TEST(TimeoutWire, ClosesAConnectionThatDoesNotReadItsReplies) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.request_timeout = 1000ms;
  });
  TlsClient client(server.port());
  const std::string request = post_request(review(std::string(200, 'u')), "/elsewhere");
  // The server stops reading when the client reads no replies.
  std::thread sender([&] {
    for (int i = 0; i < 200'000 && client.send(request); ++i) {
    }
  });
  EXPECT_TRUE(server.reaches_metric("winadmit_connections 0"));
  sender.join();
  EXPECT_TRUE(server.reaches_metric("winadmit_bad_requests_total{reason=\"timeout\"} 0"))
      << "its requests are answered";
  EXPECT_TRUE(serves_a_new_client(server));
}

TEST(TimeoutWire, ServesAClientThatReadsItsRepliesLate) {
  const TestServer server([](server::Options& options) { options.threads = 1; });
  TlsClient client(server.port());
  // More replies than the sockets buffer, each with a hundred findings.
  constexpr int kRequests = 400;
  std::string records;
  for (int i = 0; i < kRequests; ++i) {
    records += client.encrypt(post_request(review_with_findings(std::to_string(i), 200)));
  }
  std::thread sender([&] { client.send_encrypted(records); });
  std::this_thread::sleep_for(300ms);  // the server waits until it can send
  int answered = 0;
  while (answered < kRequests && answers(client.read_reply(), std::to_string(answered))) ++answered;
  EXPECT_EQ(answered, kRequests);
  sender.join();
}

TEST(TimeoutWire, AnswersAClientThatShutsDownAfterItsRequest) {
  const TestServer server;  // its idle timeout is longer than that of the client
  for (const Ending ending : {Ending::fin, Ending::close_notify, Ending::close_notify_and_fin}) {
    SCOPED_TRACE(static_cast<int>(ending));
    TlsClient client(server.port());
    ASSERT_TRUE(answers(client.post(review("first")), "first"));
    ASSERT_TRUE(client.send_and_shut_down(post_request(review("last")), ending));
    EXPECT_TRUE(answers(client.read_reply(), "last"));
    const auto start = steady_clock::now();
    EXPECT_TRUE(client.wait_for_close_notify());
    EXPECT_LT(steady_clock::now() - start, 5s) << "the server closes, the client does not time out";
  }
}

TEST(TimeoutWire, NoticesClientsThatVanish) {
  const TestServer server;
  const std::string request = post_request(review("v", 300'000));
  for (std::size_t i = 0; i < 12; ++i) {
    TlsClient client(server.port());
    client.send(request.substr(0, request.size() * i / 12));
    client.close();
  }
  ASSERT_TRUE(server.reaches_metric("winadmit_connections_total 12"));
  EXPECT_TRUE(server.reaches_metric("winadmit_connections 0")) << "before their timeout";
  EXPECT_TRUE(server.reaches_metric("winadmit_bad_requests_total{reason=\"aborted\"} 11"))
      << "the first has sent nothing";
  for (int i = 0; i < 5; ++i) {
    TcpClient incomplete(server.port());
    incomplete.send("\x16\x03\x01\x02");  // the beginning of a handshake
  }
  EXPECT_TRUE(serves_a_new_client(server));
}

}  // namespace
}  // namespace winadmit::test
