// What a client that means harm sends: the server lives, says no, and serves others.
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/server/transport/wire.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

const std::string kPost = "POST /validate HTTP/1.1\r\nHost: h\r\n";

TEST(AttackWire, RefusesAFoldedHeaderLineWhoseBodyComesLater) {
  const TestServer server;
  for (const std::string& fold : {std::string(";charset=utf-8"), std::string(3900, 'x')}) {
    Client client(server.port());
    ASSERT_TRUE(client.send(kPost + "Content-Type: application/json\r\n " + fold +
                            "\r\nContent-Length: 3000000\r\n\r\n" + std::string(1000, ' ')));
    const WireReply reply = client.read_reply();
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.body, "not HTTP/1.1: folded header line\n") << "and nothing of its memory";
    client.send(std::string(100'000, ' '));
    EXPECT_TRUE(is_alive(server));
  }
}

TEST(AttackWire, GivesTheSameAnswerWhereverARequestIsSplit) {
  const TestServer server;
  const std::string request =
      post_request(review("split"), "/validate?timeout=10s", "Authorization: Bearer abc\r\n");
  Client client(server.port());
  const std::size_t head = request.find("\r\n\r\n") + 4;
  for (std::size_t at = 1; at < head + 5; ++at) {
    ASSERT_TRUE(client.send(std::string_view(request).substr(0, at)));
    std::this_thread::sleep_for(1ms);
    ASSERT_TRUE(client.send(std::string_view(request).substr(at)));
    ASSERT_TRUE(answers(client.read_reply(), "split")) << at;
  }
}

TEST(AttackWire, NeverRunsABodyAsTheNextRequest) {
  const TestServer server;
  const std::string hidden = post_request(review("smuggled"));
  for (const char* field :
       {"Transfer-Encoding: identity", "Transfer-Encoding: gzip", "Transfer-Encoding: unknown",
        "Transfer-Encoding:", "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked, chunked", "Content-Length: 5, 5"}) {
    SCOPED_TRACE(field);
    Client client(server.port());
    client.send(kPost + field + "\r\n\r\n" + hidden);
    const WireReply reply = client.read_reply();
    EXPECT_TRUE(reply.status == 400 || reply.status == 501) << reply.status;
    EXPECT_TRUE(reply.says_close());
    EXPECT_TRUE(client.ends()) << "a second answer";
  }
  EXPECT_TRUE(server.comes_to_count("winadmit_request_duration_seconds_count 0"));
}

TEST(AttackWire, ServesANewcomerWhileOthersHoldEverySlot) {
  const TestServer server([](server::Options& options) { options.limits.max_connections = 8; });
  std::vector<std::unique_ptr<Client>> held;
  for (int i = 0; i < 30; ++i) {
    held.push_back(std::make_unique<Client>(server.port()));
    held.back()->send(kPost);  // a request that has begun
    ASSERT_TRUE(is_alive(server)) << i;
  }
}

TEST(AttackWire, ServesANewcomerWhileHandshakesAreStuck) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.max_handshakes = 2;
  });
  std::array<Plain, 4> stuck{Plain(server.port()), Plain(server.port()), Plain(server.port()),
                             Plain(server.port())};
  for (const Plain& each : stuck) ASSERT_TRUE(each.send("\x16\x03\x01\x02"));
  ASSERT_TRUE(server.comes_to_count("winadmit_connections 4"));
  const auto start = steady_clock::now();
  EXPECT_TRUE(is_alive(server));
  EXPECT_LT(steady_clock::now() - start, 8s) << "before a handshake's time is over";
}

TEST(AttackWire, TakesNoMemoryForABodyThatDoesNotCome) {
  const TestServer server([](server::Options& options) { options.threads = 1; });
  std::vector<std::unique_ptr<Client>> promising;
  for (int i = 0; i < 10; ++i) {
    promising.push_back(std::make_unique<Client>(server.port()));
    promising.back()->send(kPost + "Content-Type: application/json\r\n" +
                           "Content-Length: 6710700\r\n\r\n");
  }
  std::this_thread::sleep_for(100ms);
  EXPECT_TRUE(answers(Client(server.port()).post(review("large", 6'000'000)), "large"));
  EXPECT_TRUE(server.comes_to_count("winadmit_bad_requests_total{reason=\"busy\"} 0"));
  EXPECT_TRUE(server.comes_to_count("winadmit_connections_evicted_total{for=\"memory\"} 0"));
}

TEST(AttackWire, CutsOffWhoeverNeverReads) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.request_timeout = 1000ms;
  });
  Client client(server.port());
  const std::string request = post_request(review(std::string(200, 'u')), "/elsewhere");
  // The server stops reading once its answers are not taken.
  std::thread sender([&] {
    for (int i = 0; i < 200'000 && client.send(request); ++i) {
    }
  });
  EXPECT_TRUE(server.comes_to_count("winadmit_connections 0"));
  sender.join();
  EXPECT_TRUE(is_alive(server));
}

/// Bytes of replies that the kernel keeps for the connections of this port.
std::size_t bytes_that_wait_at(std::uint16_t port) {
  std::ifstream table("/proc/net/tcp");
  std::string line;
  std::size_t sum = 0;
  while (std::getline(table, line)) {
    unsigned local = 0, waiting = 0;
    if (std::sscanf(line.c_str(), "%*s %*x:%x %*s %*x %x:", &local, &waiting) == 2 &&
        local == port) {
      sum += waiting;
    }
  }
  return sum;
}

TEST(AttackWire, KeepsLittleForWhoeverNeverReads) {
  const TestServer server;
  Client client(server.port());
  const std::string request = post_request(review_with_findings("u", 200));
  std::thread sender([&] {
    for (int i = 0; i < 500 && client.send(request); ++i) {
    }
  });
  ASSERT_TRUE(server.comes_to_count("winadmit_connections 1"));
  std::this_thread::sleep_for(500ms);  // as many answers as it takes
  const std::size_t waiting = bytes_that_wait_at(server.port());
  EXPECT_GT(waiting, 0U);
  EXPECT_LT(waiting, 64U * 1024U);
  for (int i = 0; i < 500; ++i) ASSERT_TRUE(answers(client.read_reply(), "u")) << i;
  sender.join();
}

/// One thread that may hold 352 KB.
void allow_little(server::Options& options) {
  options.threads = 1;
  options.limits.http.max_body = 64 * 1024;
  options.limits.max_buffered = 0;
}

TEST(AttackWire, CountsPartsOfRecordsAsMemory) {
  const std::size_t header_alone = 5;
  for (const std::size_t part : {header_alone, std::string::npos}) {
    const TestServer server(allow_little);
    std::vector<std::unique_ptr<Client>> clients;
    for (int i = 0; i < 40; ++i) {
      clients.push_back(std::make_unique<Client>(server.port()));
      ASSERT_TRUE(clients.back()->send_part(std::string(16'000, 'x'), part));
    }
    // Of forty records, of 16 KiB each, 22 fit.
    EXPECT_TRUE(server.comes_to_count("winadmit_bad_requests_total{reason=\"busy\"} 18")) << part;
  }
}

TEST(AttackWire, CountsAnAnnouncedClientHelloAsMemory) {
  const TestServer server(allow_little);
  // A handshake record with the beginning of a ClientHello of 128 KiB, the largest that OpenSSL
  // takes.
  const std::string beginning("\x16\x03\x01\x00\x04\x01\x02\x01\x44", 9);
  std::vector<std::unique_ptr<Plain>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<Plain>(server.port()));
    ASSERT_TRUE(clients.back()->send(beginning));
  }
  EXPECT_TRUE(server.comes_to_count("winadmit_tls_handshake_failures_total 8"));
}

TEST(AttackWire, EndsASessionThatAsksForNewKeysAgainAndAgain) {
  const TestServer server;
  Client client(server.port());
  ASSERT_TRUE(answers(client.post(review("before")), "before"));
  ASSERT_TRUE(client.send_key_updates(100));
  EXPECT_TRUE(client.ends());
}

TEST(AttackWire, AnswersProbesWhileTheAdminPortIsFullOfIdleConnections) {
  const TestServer server;
  std::vector<std::unique_ptr<Plain>> idle;
  for (int i = 0; i < 200; ++i) idle.push_back(std::make_unique<Plain>(server.admin_port()));
  const auto start = steady_clock::now();
  EXPECT_EQ(server.admin("/healthz"), "200 ok\n");
  EXPECT_LT(steady_clock::now() - start, 5s);
}

TEST(AttackWire, JudgesALargeReviewBesideSmallOnes) {
  const TestServer server([](server::Options& options) { options.threads = 1; });
  Client large(server.port());
  Client small(server.port());
  for (int i = 0; i < 5; ++i) {
    const std::string uid = std::to_string(i);
    ASSERT_TRUE(large.send(post_request(review(uid, 2'000'000))));
    ASSERT_TRUE(answers(small.post(review("small")), "small"));
    ASSERT_TRUE(answers(large.read_reply(), uid));
  }
}

}  // namespace
}  // namespace winadmit::test
