// HTTP over TLS: requests and replies on one connection.
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

TEST(HttpWire, ServesManyRequestsOnOneConnection) {
  const TestServer server;
  TlsClient client(server.port());
  for (int i = 0; i < 50; ++i) {
    const std::string uid = "r" + std::to_string(i);
    EXPECT_TRUE(answers(client.post(review(uid)), uid));
  }
}

TEST(HttpWire, AnswersPipelinedRequestsInOrder) {
  const TestServer server;
  TlsClient client(server.port());
  std::string all;
  for (int i = 0; i < 40; ++i) {
    all += post_request(review("r" + std::to_string(i), static_cast<std::size_t>(i) * 1000));
  }
  ASSERT_TRUE(client.send(all));
  for (int i = 0; i < 40; ++i) EXPECT_TRUE(answers(client.read_reply(), "r" + std::to_string(i)));
}

TEST(HttpWire, GivesTheSameReplyHoweverARequestIsSplit) {
  const TestServer server;
  const std::string request =
      post_request(review("split"), "/validate?timeout=10s", "Authorization: Bearer abc\r\n");
  TlsClient client(server.port());
  const std::size_t header_size = request.find("\r\n\r\n") + 4;
  for (std::size_t at = 1; at < header_size + 5; ++at) {
    ASSERT_TRUE(client.send(std::string_view(request).substr(0, at)));
    std::this_thread::sleep_for(1ms);  // the server may read the parts apart
    ASSERT_TRUE(client.send(std::string_view(request).substr(at)));
    ASSERT_TRUE(answers(client.read_reply(), "split")) << at;
  }
}

TEST(HttpWire, ReadsChunkedBodies) {
  const TestServer server;
  TlsClient client(server.port());
  const std::string body = review("c", 50'000);
  for (const std::size_t piece : {body.size(), std::size_t{1000}, std::size_t{7}}) {
    std::string request = kChunkedHeader;
    for (std::size_t at = 0; at < body.size(); at += piece) {
      request += chunk(std::string_view(body).substr(at, piece));
    }
    request += "0\r\n\r\n";
    ASSERT_TRUE(client.send(request));
    EXPECT_TRUE(answers(client.read_reply(), "c")) << piece;
  }
  // One byte at a time, with a trailer and another request behind.
  std::string request = kChunkedHeader + chunk(review("t")) + "0\r\nX-Trailer: a\r\n\r\n";
  request += post_request(review("next"));
  for (const char byte : request) ASSERT_TRUE(client.send({&byte, 1}));
  EXPECT_TRUE(answers(client.read_reply(), "t"));
  EXPECT_TRUE(answers(client.read_reply(), "next"));
}

TEST(HttpWire, SendsContinueUnlessTheRequestIsRejected) {
  const TestServer server;
  TlsClient client(server.port());
  const std::string body = review("e");
  std::string header = post_request(body, "/validate", "Expect: 100-continue\r\n");
  header.resize(header.size() - body.size());
  client.send(header);
  EXPECT_EQ(client.read_reply().status, 100);
  client.send(body);
  EXPECT_TRUE(answers(client.read_reply(), "e"));
  header.replace(header.find("/validate"), 9, "/elsewhere");
  client.send(header);
  EXPECT_EQ(client.read_reply().status, 404);
}

TEST(HttpWire, AnswersHeadWithoutABody) {
  const TestServer server;
  TlsClient client(server.port());
  client.send("HEAD /validate HTTP/1.1\r\nHost: h\r\n\r\n");
  const Reply reply = client.read_header();
  EXPECT_EQ(reply.status, 405);
  EXPECT_TRUE(answers(client.post(review("after")), "after")) << "no body";
}

TEST(HttpWire, KeepsTheConnectionAfterARejectedRequest) {
  const TestServer server;
  TlsClient client(server.port());
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
      {"unknown path, chunked",
       "POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n" + chunk("{}") +
           "0\r\n\r\n",
       404},
  };
  for (const Case& each : cases) {
    SCOPED_TRACE(each.name);
    ASSERT_TRUE(client.send(each.request));
    const Reply reply = client.read_reply();
    EXPECT_EQ(reply.status, each.status);
    EXPECT_FALSE(reply.has_connection_close());
    EXPECT_TRUE(answers(client.post(review("after")), "after"));
  }
}

TEST(HttpWire, ClosesTheConnectionOnRequest) {
  const TestServer server;
  {
    TlsClient client(server.port());
    EXPECT_TRUE(
        client.post(review("a"), "/validate", "Connection: close\r\n").has_connection_close());
    EXPECT_TRUE(client.wait_for_close());
  }
  {
    TlsClient client(server.port());
    std::string request = post_request(review("a"));
    request.replace(request.find("HTTP/1.1"), 8, "HTTP/1.0");
    client.send(request);
    const Reply reply = client.read_reply();
    EXPECT_TRUE(answers(reply, "a"));
    EXPECT_TRUE(reply.has_connection_close());
    EXPECT_TRUE(client.wait_for_close());
  }
}

TEST(HttpWire, ClosesTheConnectionAfterInvalidHttp) {
  const TestServer server;
  for (const std::string bytes :
       {"nonsense\r\n\r\n", "GET / HTTP/9.9\r\n\r\n",
        "POST /validate HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST /validate HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        "POST /validate HTTP/1.1\r\nContent-Length: 2\r\nTransfer-Encoding: "
        "chunked\r\n\r\n0\r\n\r\n",
        "POST /validate HTTP/1.1\r\nBad Header: x\r\n\r\n"}) {
    SCOPED_TRACE(bytes);
    TlsClient client(server.port());
    client.send(bytes);
    const Reply reply = client.read_reply();
    EXPECT_EQ(reply.status, 400);
    EXPECT_TRUE(reply.has_connection_close());
    EXPECT_TRUE(client.wait_for_close());
  }
  EXPECT_TRUE(serves_a_new_client(server));
}

TEST(HttpWire, RejectsAFoldedHeaderLine) {
  const TestServer server;
  for (const std::string& fold : {std::string(";charset=utf-8"), std::string(3900, 'x')}) {
    TlsClient client(server.port());
    ASSERT_TRUE(client.send(kPostHeader + " " + fold + "\r\nContent-Length: 3000000\r\n\r\n" +
                            std::string(1000, ' ')));
    const Reply reply = client.read_reply();
    EXPECT_EQ(reply.status, 400);
    EXPECT_EQ(reply.body, "not HTTP/1.1: folded header line\n") << "no memory of the server";
    client.send(std::string(100'000, ' '));
    EXPECT_TRUE(serves_a_new_client(server));
  }
}

TEST(HttpWire, NeverServesABodyAsTheNextRequest) {
  const TestServer server;
  const std::string hidden = post_request(review("smuggled"));
  for (const char* field :
       {"Transfer-Encoding: identity", "Transfer-Encoding: gzip", "Transfer-Encoding: unknown",
        "Transfer-Encoding:", "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: chunked, chunked", "Content-Length: 5, 5"}) {
    SCOPED_TRACE(field);
    TlsClient client(server.port());
    client.send(kPostHeader + field + "\r\n\r\n" + hidden);
    const Reply reply = client.read_reply();
    EXPECT_TRUE(reply.status == 400 || reply.status == 501) << reply.status;
    EXPECT_TRUE(reply.has_connection_close());
    EXPECT_TRUE(client.wait_for_close()) << "a second reply";
  }
  EXPECT_TRUE(server.reaches_metric("winadmit_request_duration_seconds_count 0"));
}

}  // namespace
}  // namespace winadmit::test
