// HTTP over TLS on loopback: what a client may do, and what it may not do to others.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <set>

#include "tests/server/transport/wire.hpp"

namespace winadmit::test {
namespace {

std::string chunk(std::string_view bytes) {
  char size[20];
  std::snprintf(size, sizeof size, "%zx\r\n", bytes.size());
  return size + std::string(bytes) + "\r\n";
}

const std::string kChunkedHead =
    "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
    "Transfer-Encoding: chunked\r\n\r\n";

TEST(ServerWire, KeepsAConnectionForManyRequests) {
  const TestServer server;
  Client client(server.port());
  for (int i = 0; i < 50; ++i) {
    const std::string uid = "r" + std::to_string(i);
    EXPECT_TRUE(answers(client.post(review(uid)), uid));
  }
}

TEST(ServerWire, AnswersPipelinedRequestsInTheirOrder) {
  const TestServer server;
  Client client(server.port());
  std::string all;
  for (int i = 0; i < 40; ++i) {
    all += post_request(review("r" + std::to_string(i), static_cast<std::size_t>(i) * 1000));
  }
  std::thread sender([&] { client.send(all); });
  sender.join();
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(answers(client.read_reply(), "r" + std::to_string(i)));
}

TEST(ServerWire, ReadsChunkedBodies) {
  const TestServer server;
  Client client(server.port());
  const std::string body = review("c", 50'000);
  for (const std::size_t piece : {body.size(), std::size_t{1000}, std::size_t{7}}) {
    std::string request = kChunkedHead;
    for (std::size_t at = 0; at < body.size(); at += piece) {
      request += chunk(std::string_view(body).substr(at, piece));
    }
    request += "0\r\n\r\n";
    ASSERT_TRUE(client.send(request));
    EXPECT_TRUE(answers(client.read_reply(), "c")) << piece;
  }
  // A byte at a time, trailers included, and another request right behind.
  std::string request = kChunkedHead + chunk(review("t")) + "0\r\nX-Trailer: a\r\n\r\n";
  request += post_request(review("next"));
  for (const char byte : request) ASSERT_TRUE(client.send({&byte, 1}));
  EXPECT_TRUE(answers(client.read_reply(), "t"));
  EXPECT_TRUE(answers(client.read_reply(), "next"));
}

TEST(ServerWire, TakesABodyOfSevenMebibytesAndNotOneByteMore) {
  const TestServer server;
  const std::size_t limit = 7 * 1024 * 1024;
  const std::size_t rest = review("b").size();
  Client client(server.port());
  EXPECT_TRUE(answers(client.post(review("b", limit - rest)), "b"));
  EXPECT_TRUE(answers(client.post(review("small")), "small")) << "the connection is as before";
  EXPECT_EQ(client.post(review("b", limit - rest + 1)).status, 413);
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, TakesTheLargestBodyInChunksHoweverLittleMayBeHeld) {
  const TestServer server([](server::Options& options) {
    options.threads = 1;
    options.limits.max_buffered = 0;
  });
  Client client(server.port());
  const std::string body = review("u", 7 * 1024 * 1024 - 1000);
  std::string request = kChunkedHead;
  for (std::size_t at = 0; at < body.size(); at += 50'000)
    request += chunk(body.substr(at, 50'000));
  ASSERT_TRUE(client.send(request + "0\r\n\r\n"));
  EXPECT_TRUE(answers(client.read_reply(), "u"));
}

TEST(ServerWire, RefusesABodyOverTheLimit) {
  const TestServer server([](server::Options& options) { options.limits.http.max_body = 4096; });
  {
    Client client(server.port());
    client.send(
        "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        "Content-Length: 4097\r\n\r\n");
    const WireReply reply = client.read_reply();
    EXPECT_EQ(reply.status, 413) << "before a byte of it was sent";
    EXPECT_EQ(reply.body, "the request body is larger than 4096 bytes\n");
    EXPECT_TRUE(reply.says_close());
    EXPECT_TRUE(client.ends());
  }
  {
    Client client(server.port());
    client.send(kChunkedHead + chunk(std::string(3000, ' ')) + chunk(std::string(3000, ' ')));
    EXPECT_EQ(client.read_reply().status, 413);
  }
  {
    Client client(server.port());
    client.send(
        "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
        "Content-Length: 99999999999999999999999\r\n\r\n");
    const int status = client.read_reply().status;
    EXPECT_TRUE(status == 400 || status == 413) << status;
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, RefusesAHeaderOverSixteenKibibytes) {
  const TestServer server;
  {
    Client client(server.port());
    EXPECT_EQ(
        client.post(review("ok"), "/validate", "X-A: " + std::string(15'000, 'a') + "\r\n").status,
        200);
    const WireReply reply =
        client.post(review("no"), "/validate", "X-A: " + std::string(17'000, 'a') + "\r\n");
    EXPECT_EQ(reply.status, 431);
    EXPECT_TRUE(reply.says_close());
  }
  {
    Client client(server.port());  // one that never ends
    client.send("POST /validate HTTP/1.1\r\nX-A: " + std::string(40'000, 'a'));
    EXPECT_EQ(client.read_reply().status, 431);
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, BoundsWhatGoesWithChunks) {
  const TestServer server;
  for (const std::string& junk :
       {"1;" + std::string(3'000'000, 'x'), "0\r\nX: " + std::string(3'000'000, 'x')}) {
    Client client(server.port());
    client.send(kChunkedHead);
    client.send(junk);
    const int status = client.read_reply().status;
    EXPECT_TRUE(status == 400 || status == 431) << status;
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, SaysContinueToWhoeverExpectsIt) {
  const TestServer server;
  Client client(server.port());
  const std::string body = review("e");
  const std::string head = post_request("", "/validate", "Expect: 100-continue\r\n");
  std::string with_length = head;
  with_length.replace(with_length.find("Content-Length: 0"), 17,
                      "Content-Length: " + std::to_string(body.size()));
  client.send(with_length);
  EXPECT_EQ(client.read_reply().status, 100);
  client.send(body);
  EXPECT_TRUE(answers(client.read_reply(), "e"));
  // A body that would be refused is not asked for.
  with_length.replace(with_length.find("/validate"), 9, "/elsewhere");
  client.send(with_length);
  EXPECT_EQ(client.read_reply().status, 404);
}

TEST(ServerWire, KeepsTheConnectionAfterARefusal) {
  const TestServer server;
  Client client(server.port());
  struct Case {
    const char* name;
    std::string request;
    int status;
  };
  const std::string no_type = "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}";
  const Case cases[] = {
      {"empty body", post_request(""), 400},
      {"not JSON", post_request("nonsense"), 400},
      {"unknown path", post_request(review("x"), "/elsewhere"), 404},
      {"unknown path, large", post_request(review("x", 200'000), "/elsewhere"), 404},
      {"GET", "GET /validate HTTP/1.1\r\nHost: h\r\n\r\n", 405},
      {"PUT with a body", "PUT /validate HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}", 405},
      {"no content type", no_type, 415},
      {"chunked, to an unknown path",
       "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk("{}") +
           "0\r\n\r\n",
       404},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    ASSERT_TRUE(client.send(each.request));
    const WireReply reply = client.read_reply();
    EXPECT_EQ(reply.status, each.status);
    EXPECT_FALSE(reply.says_close());
    EXPECT_TRUE(answers(client.post(review("after")), "after"));
  }
}

TEST(ServerWire, EndsTheConnectionAfterWhatIsNotHttp) {
  const TestServer server;
  for (const std::string bytes :
       {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "POST /validate HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /validate HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /validate HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: "
        "chunked\r\n\r\n0\r\n\r\n",
        "POST /validate HTTP/1.1\r\nBad Header: x\r\n\r\n"}) {
    SCOPED_TRACE(bytes);
    Client client(server.port());
    client.send(bytes);
    const WireReply reply = client.read_reply();
    EXPECT_EQ(reply.status, 400);
    EXPECT_TRUE(reply.says_close());
    EXPECT_TRUE(client.ends());
  }
  EXPECT_TRUE(is_alive(server));
}

TEST(ServerWire, ClosesWhenAsked) {
  const TestServer server;
  {
    Client client(server.port());
    EXPECT_TRUE(client.post(review("a"), "/validate", "Connection: close\r\n").says_close());
    EXPECT_TRUE(client.ends());
  }
  {
    Client client(server.port());
    std::string request = post_request(review("a"));
    request.replace(request.find("HTTP/1.1"), 8, "HTTP/1.0");
    client.send(request);
    const WireReply reply = client.read_reply();
    EXPECT_TRUE(answers(reply, "a"));
    EXPECT_TRUE(reply.says_close());
    EXPECT_TRUE(client.ends());
  }
}

TEST(ServerWire, AnswersHeadWithoutABody) {
  const TestServer server;
  Client client(server.port());
  client.send("HEAD /validate HTTP/1.1\r\nHost: h\r\n\r\n");
  const WireReply reply = client.read_head();
  EXPECT_EQ(reply.status, 405);
  EXPECT_TRUE(answers(client.post(review("after")), "after")) << "nothing else came";
}

TEST(ServerWire, ServesManyClientsAtOnce) {
  const TestServer server;
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < 8; ++c) {
    clients.emplace_back([&, c] {
      Client client(server.port());
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

/// One thread that may hold one request of the largest size, of a megabyte.
void hold_one_request(server::Options& options) {
  options.threads = 1;
  options.limits.http.max_body = 1'000'000;
  options.limits.max_buffered = 1'000'000;
}

TEST(ServerWire, SaysSoToWhoeverSendsTooMuchAtOnceAndServesTheRest) {
  const TestServer server(hold_one_request);
  const std::string whole = post_request(review("large", 900'000));
  Client first(server.port());
  first.send(std::string_view(whole).substr(0, 600'000));
  ASSERT_TRUE(server.comes_to_count("winadmit_connections 1"));
  for (int i = 0; i < 3; ++i) {
    Client second(server.port());
    second.send(whole);
    EXPECT_EQ(second.read_reply().status, 503);
  }
  EXPECT_TRUE(is_alive(server)) << "small reviews are served";
  first.send(std::string_view(whole).substr(600'000));
  EXPECT_TRUE(answers(first.read_reply(), "large"));
  EXPECT_TRUE(server.comes_to_count("winadmit_connections_evicted_total{for=\"memory\"} 0"));
  EXPECT_TRUE(answers(Client(server.port()).post(review("again", 900'000)), "again"));
}

TEST(ServerWire, TakesMemoryFromTheSourceThatHoldsMostAndSaysSo) {
  const TestServer server(hold_one_request);
  const std::string whole = post_request(review("large", 900'000));
  Client greedy(server.port(), {.from = "127.0.0.2"});
  greedy.send(std::string_view(whole).substr(0, 800'000));
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_TRUE(answers(Client(server.port()).post(review("other", 400'000)), "other"));
  greedy.send(std::string_view(whole).substr(800'000, 50'000));
  EXPECT_EQ(greedy.read_reply().status, 503);
  EXPECT_TRUE(server.comes_to_count("winadmit_connections_evicted_total{for=\"memory\"} 1"));
}

TEST(ServerWire, KeepsStreamsApartWhenLargeRequestsArePipelined) {
  // Answers are not read while requests are sent, so that the server has to wait amidst them.
  const TestServer server([](server::Options& options) { options.threads = 1; });
  constexpr int kClients = 3, kRequests = 30;
  const auto uid_of = [](int c, int i) {
    return std::to_string(c) + '-' + std::to_string(i) + std::string(200, 'u');
  };
  std::atomic<int> answered = 0;
  std::vector<std::thread> clients;
  for (int c = 0; c < kClients; ++c) {
    clients.emplace_back([&, c] {
      Client client(server.port());
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

}  // namespace
}  // namespace winadmit::test
