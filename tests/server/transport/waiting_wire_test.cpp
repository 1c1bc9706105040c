// Whom the server waits for, and for how long.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <thread>

#include "tests/server/transport/wire.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(WaitingWire, AnswersWhoeverSaysGoodbyeWithTheRequestAndEnds) {
  const TestServer server;  // idle connections are kept for longer than a client here waits
  for (const bool goodbye : {true, false}) {
    SCOPED_TRACE(goodbye ? "by TLS" : "by TCP alone");
    Client client(server.port());
    ASSERT_TRUE(answers(client.post(review("first")), "first"));
    ASSERT_TRUE(client.send_last(post_request(review("last")), goodbye));
    EXPECT_TRUE(answers(client.read_reply(), "last"));
    const auto start = steady_clock::now();
    EXPECT_TRUE(client.ends());
    EXPECT_LT(steady_clock::now() - start, 5s) << "the server has closed, not the client given up";
  }
}

TEST(WaitingWire, NoticesWhatArrivesWhileAnAnswerIsStuck) {
  const TestServer server([](server::Options& options) { options.threads = 1; });
  Client client(server.port());
  // More answers than the sockets take at once, each of a hundred findings.
  constexpr int kRequests = 400;
  std::thread sender([&] {
    for (int i = 0; i < kRequests; ++i) {
      client.send(post_request(review_with_findings(std::to_string(i), 200)));
    }
  });
  std::this_thread::sleep_for(300ms);  // the server waits for room
  for (int i = 0; i < kRequests; ++i) {
    ASSERT_TRUE(answers(client.read_reply(), std::to_string(i))) << i;
  }
  sender.join();
}

TEST(WaitingWire, CutsOffWhoeverIsTooSlow) {
  const TestServer server([](server::Options& options) {
    options.limits.handshake_timeout = 500ms;
    options.limits.request_timeout = 700ms;
    options.limits.idle_timeout = 700ms;
  });
  const auto within = [](steady_clock::duration least, auto&& wait) {
    const auto start = steady_clock::now();
    wait();
    const auto took = steady_clock::now() - start;
    EXPECT_GE(took, least);
    EXPECT_LT(took, 6s);
  };
  {
    SCOPED_TRACE("never speaks");
    const Plain silent(server.port());
    within(400ms, [&] { EXPECT_TRUE(silent.ends()); });
  }
  {
    SCOPED_TRACE("idle after the handshake");
    Client client(server.port());
    within(500ms, [&] { EXPECT_TRUE(client.ends()); });
  }
  {
    SCOPED_TRACE("a byte now and then");
    Client client(server.port());
    const std::string request = post_request(review("slow"));
    within(500ms, [&] {
      std::size_t sent = 0;
      while (sent < request.size() && client.send(std::string_view(request).substr(sent, 1))) {
        ++sent;
        std::this_thread::sleep_for(100ms);
      }
      EXPECT_LT(sent, request.size());
    });
  }
  EXPECT_TRUE(is_alive(server));
  EXPECT_TRUE(server.comes_to_count("winadmit_bad_requests_total{reason=\"timeout\"} 1"))
      << "the one that had begun a request";
}

TEST(WaitingWire, CutsOffARequestAtTheApiServersOwnDeadline) {
  const TestServer server([](server::Options& options) { options.limits.request_timeout = 60s; });
  Client client(server.port());
  client.send(
      "POST /validate?timeout=100ms HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
      "Content-Length: 10\r\n\r\n");
  EXPECT_TRUE(client.ends());
  EXPECT_TRUE(server.comes_to_count("winadmit_bad_requests_total{reason=\"timeout\"} 1"));
}

}  // namespace
}  // namespace winadmit::test
