// Limits on the size of requests, and on the memory that clients can make the server use.
#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/server/transport/test_server.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;

TEST(LimitsWire, ServesABodyOfSevenMebibytesAndNotOneByteMore) {
  const TestServer server;
  const std::size_t limit = 7 * 1024 * 1024;
  const std::size_t rest = review("b").size();
  TlsClient client(server.port());
  EXPECT_TRUE(answers(client.post(review("b", limit - rest)), "b"));
  EXPECT_TRUE(answers(client.post(review("small")), "small")) << "on the same connection";
  EXPECT_EQ(client.post(review("b", limit - rest + 1)).status, 413);
  EXPECT_TRUE(serves_a_new_client(server));
}

TEST(LimitsWire, RejectsABodyOverTheLimit) {
  const TestServer server([](server::Options& options) { options.limits.http.max_body = 4096; });
  {
    TlsClient client(server.port());
    client.send(kPostHeader + "Content-Length: 4097\r\n\r\n");
    const Reply reply = client.read_reply();
    EXPECT_EQ(reply.status, 413) << "before the body is sent";
    EXPECT_EQ(reply.body, "the request body is larger than 4096 bytes\n");
    EXPECT_TRUE(reply.has_connection_close());
    EXPECT_TRUE(client.wait_for_close());
  }
  {
    TlsClient client(server.port());
    client.send(kChunkedHeader + chunk(std::string(3000, ' ')) + chunk(std::string(3000, ' ')));
    EXPECT_EQ(client.read_reply().status, 413);
  }
  {
    TlsClient client(server.port());
    client.send(kPostHeader + "Content-Length: 99999999999999999999999\r\n\r\n");
    EXPECT_EQ(client.read_reply().status, 400) << "it is no number of 64 bits";
  }
  EXPECT_TRUE(serves_a_new_client(server));
}

TEST(LimitsWire, RejectsAHeaderOverSixteenKibibytes) {
  const TestServer server;
  {
    TlsClient client(server.port());
    EXPECT_EQ(
        client.post(review("ok"), "/validate", "X-A: " + std::string(15'000, 'a') + "\r\n").status,
        200);
    const Reply reply =
        client.post(review("no"), "/validate", "X-A: " + std::string(17'000, 'a') + "\r\n");
    EXPECT_EQ(reply.status, 431);
    EXPECT_TRUE(reply.has_connection_close());
  }
  {
    TlsClient client(server.port());  // a header without an end
    client.send("POST /validate HTTP/1.1\r\nX-A: " + std::string(40'000, 'a'));
    EXPECT_EQ(client.read_reply().status, 431);
  }
  EXPECT_TRUE(serves_a_new_client(server));
}

TEST(LimitsWire, RejectsLongChunkExtensionsAndTrailers) {
  const TestServer server;
  for (const std::string& junk :
       {"1;" + std::string(3'000'000, 'x'), "0\r\nX: " + std::string(3'000'000, 'x')}) {
    TlsClient client(server.port());
    client.send(kChunkedHeader + junk);
    EXPECT_EQ(client.read_reply().status, 431);
  }
  EXPECT_TRUE(serves_a_new_client(server));
}

TEST(LimitsWire, ServesTheLargestChunkedBodyWithTheSmallestBudget) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.max_buffered = 0;
  });
  TlsClient client(server.port());
  const std::string body = review("u", 7 * 1024 * 1024 - 1000);
  std::string request = kChunkedHeader;
  for (std::size_t at = 0; at < body.size(); at += 50'000)
    request += chunk(body.substr(at, 50'000));
  ASSERT_TRUE(client.send(request + "0\r\n\r\n"));
  EXPECT_TRUE(answers(client.read_reply(), "u"));
}

TEST(LimitsWire, BuffersLittleForAClientThatDoesNotRead) {
  const TestServer server;
  TlsClient client(server.port());
  const std::string request = post_request(review_with_findings("u", 200));
  std::string records;
  for (int i = 0; i < 500; ++i) records += client.encrypt(request);
  std::thread sender([&] { client.send_encrypted(records); });
  ASSERT_TRUE(server.reaches_metric("winadmit_connections 1"));
  std::this_thread::sleep_for(500ms);  // it does not buffer more
  const std::size_t buffered = kernel_bytes(server.port()).unsent;
  EXPECT_GT(buffered, 0U);
  EXPECT_LT(buffered, 64U * 1024U);
  int answered = 0;
  while (answered < 500 && answers(client.read_reply(), "u")) ++answered;
  EXPECT_EQ(answered, 500);
  sender.join();
}

/// One thread with 864 KiB for requests.
void allow_little(server::Options& options) {
  options.threads = 1;
  options.limits.http.max_body = 64 * 1024;
  options.limits.max_buffered = 0;
}

TEST(LimitsWire, CountsIncompleteTlsRecordsAsMemory) {
  constexpr std::size_t kRecordHeader = 5;
  for (const std::size_t part : {kRecordHeader, std::string::npos}) {
    const TestServer server(allow_little);
    std::vector<std::unique_ptr<TlsClient>> clients;
    for (int i = 0; i < 80; ++i) {
      clients.push_back(std::make_unique<TlsClient>(server.port()));
      // What comes together with the end of the handshake is held twice for a moment.
      ASSERT_TRUE(answers(clients.back()->post(review("first")), "first"));
    }
    for (const auto& client : clients) {
      ASSERT_TRUE(client->send_part_of_record(std::string(16'000, 'x'), part));
    }
    // 54 of the 80 records fit, each of 16 KiB.
    EXPECT_TRUE(server.reaches_metric("winadmit_bad_requests_total{reason=\"busy\"} 26")) << part;
  }
}

TEST(LimitsWire, AnIdleConnectionHoldsNoMemoryOfItsLastRequest) {
  const TestServer server(allow_little);
  TlsClient idle(server.port());
  ASSERT_TRUE(idle.send_in_two_parts(post_request(review("first"))));
  ASSERT_TRUE(answers(idle.read_reply(), "first"));
  // The oldest connection that holds memory is the first to lose it.
  std::vector<std::unique_ptr<TlsClient>> others;
  for (int i = 0; i < 80; ++i) {
    const std::string address = "127.0.1." + std::to_string(1 + i);
    others.push_back(
        std::make_unique<TlsClient>(server.port(), ClientOptions{.from = address.c_str()}));
    ASSERT_TRUE(others.back()->send_part_of_record(std::string(16'000, 'x')));
  }
  const std::string metrics = server.admin("/metrics");
  EXPECT_EQ(metrics.find("winadmit_connections_evicted_total{for=\"memory\"} 0"),
            std::string::npos);
  EXPECT_TRUE(answers(idle.post(review("second")), "second"));
}

/// Bytes of the heap that four clients take, of which each has sent one request with the end of its
/// handshake.
std::size_t heap_of_clients(const TestServer& server, const std::string& request) {
  EXPECT_TRUE(server.reaches_metric("winadmit_connections 0")) << "former clients hold memory";
  const std::size_t before = mallinfo2().uordblks;
  std::vector<std::unique_ptr<TlsClient>> clients;
  for (int i = 0; i < 4; ++i) {
    clients.push_back(
        std::make_unique<TlsClient>(server.port(), ClientOptions{.request = request}));
    EXPECT_TRUE(answers(clients.back()->read_reply(), "u"));
  }
  EXPECT_TRUE(server.reaches_metric("winadmit_connections 4"));
  return mallinfo2().uordblks - before;
}

TEST(LimitsWire, KeepsNoMemoryOfARequestThatCameWithTheEndOfTheHandshake) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the heap of AddressSanitizer has no statistics";
#endif
  const TestServer server([](server::Options& options) { options.threads = 1; });
  const std::string large = post_request(review("u", 50'000));
  heap_of_clients(server, large);  // what the server allocates once
  const std::size_t with_small = heap_of_clients(server, post_request(review("u")));
  EXPECT_LT(heap_of_clients(server, large), with_small + 4 * 25'000);
}

TEST(LimitsWire, CountsAnAnnouncedClientHelloAsMemory) {
  const TestServer server(allow_little);
  // The beginning of a ClientHello of 128 KiB, the largest that OpenSSL accepts.
  const std::string beginning("\x16\x03\x01\x00\x04\x01\x02\x01\x44", 9);
  std::vector<std::unique_ptr<TcpClient>> clients;
  for (int i = 0; i < 10; ++i) {
    clients.push_back(std::make_unique<TcpClient>(server.port()));
    ASSERT_TRUE(clients.back()->send(beginning));
  }
  EXPECT_TRUE(server.reaches_metric("winadmit_connections_refused_total{reason=\"memory\"} 4"));
}

}  // namespace
}  // namespace winadmit::test
