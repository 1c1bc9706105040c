// Large requests: how they wait for memory, and what they may take from others.
#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "tests/server/transport/test_server.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;

/// One thread with memory for one request of the largest size, a megabyte, and some small ones.
void allow_one_large_request(server::Options& options) {
  options.threads = 1;
  options.limits.http.max_body = 1'000'000;
  options.limits.max_buffered = 1'900'000;
}

/// Nothing shows that a request waits for memory: no more of it is read.
void let_it_wait() { std::this_thread::sleep_for(100ms); }

/// A request that holds the memory, until the rest of it is sent. Only what the server has read
/// counts, so a second one could overtake it at once.
struct IncompleteRequest {
  explicit IncompleteRequest(std::uint16_t port, const ClientOptions& options = {})
      : client(port, options) {
    client.send(std::string_view(whole).substr(0, kSent));
    EXPECT_TRUE(client.wait_until_read());
  }
  void send_rest() { client.send(std::string_view(whole).substr(kSent)); }

  static constexpr std::size_t kSent = 600'000;
  std::string whole = post_request(review("large", 900'000));
  TlsClient client;
};

/// And a second one that waits for the memory.
struct TwoLargeRequests {
  explicit TwoLargeRequests(std::uint16_t port) : first(port), second(port) {}
  IncompleteRequest first;
  TlsClient second;
  std::jthread sender{[this] { second.send(first.whole); }};
};

TEST(LargeRequestsWire, ALargeRequestWaitsUntilOthersOfItsSourceHaveEnded) {
  const TestServer server(allow_one_large_request);
  TwoLargeRequests requests(server.port());
  std::this_thread::sleep_for(700ms);  // large ones yield to other sources by now
  EXPECT_TRUE(serves_a_new_client(server)) << "small reviews are served";
  requests.first.send_rest();
  EXPECT_TRUE(answers(requests.first.client.read_reply(), "large"));
  EXPECT_TRUE(answers(requests.second.read_reply(), "large"));
  EXPECT_TRUE(server.reaches_metric("winadmit_connections_evicted_total{for=\"memory\"} 0"));
  EXPECT_TRUE(server.reaches_metric("winadmit_bad_requests_total{reason=\"busy\"} 0"));
}

TEST(LargeRequestsWire, Answers503ToALargeRequestThatHasWaitedForHalfOfItsTime) {
  const TestServer server([](server::Options& options) {
    allow_one_large_request(options);
    options.limits.request_timeout = 3s;
  });
  TwoLargeRequests requests(server.port());
  EXPECT_EQ(requests.second.read_reply().status, 503);
  requests.first.send_rest();
  EXPECT_TRUE(answers(requests.first.client.read_reply(), "large")) << "it has not yet timed out";
}

TEST(LargeRequestsWire, ARequestThatIsNearlyLargeIsServedBesideALargeOne) {
  const TestServer server(allow_one_large_request);
  IncompleteRequest large(server.port());
  for (const std::size_t size : {200'000U, 229'000U}) {
    EXPECT_TRUE(answers(TlsClient(server.port()).post(review("small", size)), "small")) << size;
  }
  std::jthread sender([&] {
    let_it_wait();
    large.send_rest();
  });
  for (const std::size_t size : {232'000U, 250'000U, 262'000U, 265'000U}) {
    EXPECT_TRUE(answers(TlsClient(server.port()).post(review("small", size)), "small")) << size;
  }
  EXPECT_TRUE(answers(large.client.read_reply(), "large"));
}

TEST(LargeRequestsWire, ALargeChunkedRequestWaits) {
  const TestServer server(allow_one_large_request);
  IncompleteRequest first(server.port());
  TlsClient second(server.port());
  std::jthread sender([&] {
    const std::string body = review("second", 900'000);
    std::string request = kChunkedHeader;
    for (std::size_t at = 0; at < body.size(); at += 50'000)
      request += chunk(body.substr(at, 50'000));
    second.send(request + "0\r\n\r\n");
  });
  let_it_wait();
  first.send_rest();
  EXPECT_TRUE(answers(first.client.read_reply(), "large"));
  const Reply reply = second.read_reply();
  EXPECT_TRUE(answers(reply, "second")) << reply.status << reply.body;
}

TEST(LargeRequestsWire, APipelinedRequestDoesNotKeepTheMemoryOfTheOneBeforeIt) {
  const TestServer server(allow_one_large_request);
  IncompleteRequest first(server.port(), {.from = "127.0.0.2"});
  TlsClient other(server.port());
  const std::string whole = post_request(review("other", 900'000));
  std::jthread sender([&] { other.send(whole); });
  let_it_wait();
  first.client.send(first.whole.substr(IncompleteRequest::kSent) + first.whole.substr(0, 60'000));
  EXPECT_TRUE(answers(first.client.read_reply(), "large"));
  const Reply reply = other.read_reply();
  EXPECT_TRUE(answers(reply, "other")) << reply.status << reply.body;
}

TEST(LargeRequestsWire, ASourceThatRenewsItsLargeRequestsDelaysThoseOfOthersOnly) {
  const TestServer server(allow_one_large_request);
  const std::string whole = post_request(review("large", 900'000));
  std::vector<std::jthread> attackers;
  for (int i = 0; i < 2; ++i) {
    attackers.emplace_back([&](const std::stop_token& stop) {
      while (!stop.stop_requested()) {
        TlsClient client(server.port(), {.from = "127.0.0.2"});
        client.send(std::string_view(whole).substr(0, whole.size() - 10));
        std::this_thread::sleep_for(200ms);
      }
    });
  }
  let_it_wait();
  for (int i = 0; i < 8; ++i) {
    const Reply reply = TlsClient(server.port()).post(review("other", 900'000));
    EXPECT_TRUE(answers(reply, "other")) << i << ": " << reply.status << reply.body;
  }
}

TEST(LargeRequestsWire, TakeNothingOfOthersInPlaceOfTheSmallRequestsOfTheirSource) {
  const TestServer server(allow_one_large_request);
  const std::string small = post_request(review("small", 200'000));
  const std::string large = post_request(review("large", 900'000));
  std::vector<std::unique_ptr<TlsClient>> attackers;
  const auto send_most_of = [&](const std::string& request, std::size_t size) {
    attackers.push_back(
        std::make_unique<TlsClient>(server.port(), ClientOptions{.from = "127.0.0.2"}));
    attackers.back()->send(std::string_view(request).substr(0, size));
  };
  for (int i = 0; i < 8; ++i) send_most_of(small, small.size() - 10);
  for (int i = 0; i < 2; ++i) send_most_of(large, 60'000);
  let_it_wait();
  TlsClient slow(server.port());
  const std::string whole = post_request(review("slow", 100'000));
  slow.send(std::string_view(whole).substr(0, 90'000));
  EXPECT_TRUE(slow.wait_until_read());
  slow.send(std::string_view(whole).substr(90'000));
  EXPECT_TRUE(answers(slow.read_reply(), "slow"));
  const Reply reply = TlsClient(server.port()).post(review("other", 900'000));
  EXPECT_TRUE(answers(reply, "other")) << reply.status << reply.body;
}

TEST(LargeRequestsWire, ReclaimsMemoryOfALargeRequestThatDoesNotEndAndAnswers503) {
  const TestServer server(allow_one_large_request);
  const std::string whole = post_request(review("large", 900'000));
  TlsClient largest(server.port(), {.from = "127.0.0.2"});
  largest.send(std::string_view(whole).substr(0, 800'000));
  std::this_thread::sleep_for(600ms);  // it yields to other sources by now
  EXPECT_TRUE(answers(TlsClient(server.port()).post(review("other", 900'000)), "other"));
  largest.send(std::string_view(whole).substr(800'000, 50'000));
  EXPECT_EQ(largest.read_reply().status, 503);
  EXPECT_TRUE(server.reaches_metric("winadmit_connections_evicted_total{for=\"memory\"} 1"));
}

TEST(LargeRequestsWire, ReservesNoMemoryForABodyThatDoesNotArrive) {
  const TestServer server([](server::Options& options) { options.threads = 1; });
  std::vector<std::unique_ptr<TlsClient>> waiting;
  for (int i = 0; i < 10; ++i) {
    waiting.push_back(std::make_unique<TlsClient>(server.port()));
    waiting.back()->send(kPostHeader + "Content-Length: 6710700\r\n\r\n");
    EXPECT_TRUE(waiting.back()->wait_until_read());
  }
  EXPECT_TRUE(answers(TlsClient(server.port()).post(review("large", 6'000'000)), "large"));
  EXPECT_TRUE(server.reaches_metric("winadmit_bad_requests_total{reason=\"busy\"} 0"));
  EXPECT_TRUE(server.reaches_metric("winadmit_connections_evicted_total{for=\"memory\"} 0"));
}

}  // namespace
}  // namespace winadmit::test
