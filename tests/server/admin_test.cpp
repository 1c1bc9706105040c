// The admin port: probes, and the limit of connections.
#include "server/admin.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "tests/server/transport/tls_client.hpp"

namespace winadmit::server {
namespace {

class AdminTest : public testing::Test {
 protected:
  AdminTest() {
    admin_.start([] { FAIL() << "the admin port has failed"; });
  }

  std::uint16_t port() const { return admin_.endpoint().port(); }

  /// The reply to a request with "Connection: close".
  std::string reply_to(const std::string& head) const {
    const test::TcpClient plain(port());
    plain.send(head + "\r\nHost: h\r\nConnection: close\r\n\r\n");
    std::string all;
    for (std::string some = plain.receive(); !some.empty(); some = plain.receive()) all += some;
    return all;
  }

  Metrics metrics_{"1.34"};
  Admin admin_{{asio::ip::address_v4::loopback(), 0}, metrics_, Admin::kMaxConnections};
};

TEST_F(AdminTest, IsReadyUntilSetOtherwise) {
  EXPECT_TRUE(reply_to("GET /readyz HTTP/1.1").starts_with("HTTP/1.1 200 OK\r\n"));
  admin_.set_ready(false);
  EXPECT_TRUE(reply_to("GET /readyz HTTP/1.1").starts_with("HTTP/1.1 503 "));
  EXPECT_TRUE(reply_to("GET /healthz HTTP/1.1").starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST_F(AdminTest, IsReadyWithAWarningWhileTheCertificateIsNotRenewed) {
  const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
  const auto readyz = [&](std::chrono::hours left) {
    metrics_.set_certificate_lifetime(now - std::chrono::hours(100), now + left);
    return reply_to("GET /readyz HTTP/1.1");
  };
  EXPECT_TRUE(readyz(std::chrono::hours(50)).ends_with("\r\n\r\nok\n"));
  for (const int left : {5, -1}) {
    const std::string reply = readyz(std::chrono::hours(left));
    EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 OK\r\n")) << reply;
    EXPECT_NE(reply.find("\r\n\r\nok\nwarning: the served certificate expire"), std::string::npos)
        << reply;
  }
}

TEST_F(AdminTest, IgnoresTheQuery) {
  EXPECT_TRUE(reply_to("GET /healthz?verbose HTTP/1.1").ends_with("\r\n\r\nok\n"));
}

TEST_F(AdminTest, AnswersHeadWithoutABody) {
  const std::string reply = reply_to("HEAD /healthz HTTP/1.1");
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 200 OK\r\n")) << reply;
  EXPECT_TRUE(reply.ends_with("\r\n\r\n")) << reply;
}

TEST_F(AdminTest, RefusesOtherMethodsAndPaths) {
  const std::string refusal = reply_to("DELETE /healthz HTTP/1.1");
  EXPECT_TRUE(refusal.starts_with("HTTP/1.1 405 ")) << refusal;
  EXPECT_NE(refusal.find("\r\nAllow: GET, HEAD\r\n"), std::string::npos) << refusal;
  EXPECT_TRUE(reply_to("GET /healthzz HTTP/1.1").starts_with("HTTP/1.1 404 "));
}

TEST_F(AdminTest, SaysWhatIsWrongWithARequest) {
  EXPECT_TRUE(reply_to("GET /healthz HTTP/1.1\r\nContent-Length: 3").starts_with("HTTP/1.1 400 "));
  EXPECT_TRUE(reply_to("GET /healthz SPDY/1").ends_with("\r\n\r\nnot HTTP/1.1: bad version\n"));
}

TEST_F(AdminTest, RunsNoBodyAsTheNextRequest) {
  for (const char* head : {"GET /healthz HTTP/1.1\r\nTransfer-Encoding: gzip",
                           "GET /healthz HTTP/1.1\r\nTransfer-Encoding: chunked",
                           "GET /healthz HTTP/1.1\r\nContent-Length: 26",
                           "POST /healthz HTTP/1.1\r\nContent-Length: 26"}) {
    const test::TcpClient client(port());
    client.send(head + std::string("\r\nHost: h\r\n\r\nGET /version HTTP/1.1\r\nHost: h\r\n\r\n"));
    std::string all;
    for (std::string some = client.receive(); !some.empty(); some = client.receive()) all += some;
    EXPECT_EQ(all.find("HTTP/1.1 ", 1), std::string::npos) << head << '\n' << all;
    EXPECT_NE(all.find("\r\nConnection: close\r\n"), std::string::npos) << head << '\n' << all;
  }
}

TEST_F(AdminTest, RequiresOneHost) {
  EXPECT_TRUE(reply_to("GET /healthz HTTP/1.1\r\nHost: a").starts_with("HTTP/1.1 400 "));
  const test::TcpClient client(port());
  client.send("GET /healthz HTTP/1.1\r\n\r\n");
  EXPECT_TRUE(client.receive().starts_with("HTTP/1.1 400 "));
}

TEST_F(AdminTest, AnswersAbsoluteFormAndHeadersInPieces) {
  EXPECT_TRUE(reply_to("GET http://h/healthz HTTP/1.1").ends_with("\r\n\r\nok\n"));
  const test::TcpClient client(port());
  for (const char* piece : {"GET /heal", "thz HTTP/1.1\r", "\nHost: h\r\n", "\r\n"}) {
    client.send(piece);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(client.receive().ends_with("\r\n\r\nok\n"));
}

TEST_F(AdminTest, RefusesALongHeader) {
  const std::string reply = reply_to("GET /healthz HTTP/1.1\r\na: " + std::string(17'000, 'a'));
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 431 ")) << reply;
}

TEST_F(AdminTest, AnswersPipelinedRequestsInOrder) {
  const test::TcpClient client(port());
  client.send(
      "GET /healthz HTTP/1.1\r\nHost: h\r\n\r\nGET /none HTTP/1.1\r\nHost: h\r\nConnection: "
      "close\r\n\r\n");
  std::string all;
  for (std::string some = client.receive(); !some.empty(); some = client.receive()) all += some;
  EXPECT_LT(all.find("HTTP/1.1 200 "), all.find("HTTP/1.1 404 ")) << all;
}

TEST_F(AdminTest, KeepsAConnectionForTheNextProbe) {
  const test::TcpClient plain(port());
  for (int i = 0; i < 3; ++i) {
    ASSERT_TRUE(plain.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"));
    EXPECT_TRUE(plain.receive().starts_with("HTTP/1.1 200 OK\r\n")) << i;
  }
}

TEST_F(AdminTest, ClosesOnlyTheOldestOf64ConnectionsForANewOne) {
  std::vector<std::unique_ptr<test::TcpClient>> held;
  for (int i = 0; i < 64; ++i) held.push_back(std::make_unique<test::TcpClient>(port()));
  EXPECT_TRUE(reply_to("GET /healthz HTTP/1.1").ends_with("ok\n"));
  EXPECT_TRUE(held[0]->wait_for_close());
  ASSERT_TRUE(held[1]->send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_TRUE(held[1]->receive().starts_with("HTTP/1.1 200 OK\r\n"));
}

TEST_F(AdminTest, ClosesAConnectionOfTheAddressWithTheMost) {
  const test::TcpClient probe(port());
  std::vector<std::unique_ptr<test::TcpClient>> others;
  for (int i = 0; i < 64; ++i) {
    others.push_back(std::make_unique<test::TcpClient>(port(), "127.0.0.2"));
  }
  // The answer to the last one shows that all have been accepted.
  ASSERT_TRUE(others.back()->send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"));
  ASSERT_TRUE(others.back()->receive().starts_with("HTTP/1.1 200 OK\r\n"));
  ASSERT_TRUE(probe.send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_TRUE(probe.receive().starts_with("HTTP/1.1 200 OK\r\n"));
  EXPECT_TRUE(others.front()->wait_for_close());
}

TEST_F(AdminTest, ClosesTheOldestConnectionIfAllAddressesHaveOne) {
  std::vector<std::unique_ptr<test::TcpClient>> held;
  for (int i = 1; i <= 64; ++i) {
    const std::string address = "127.0.1." + std::to_string(i);
    held.push_back(std::make_unique<test::TcpClient>(port(), address.c_str()));
  }
  EXPECT_TRUE(reply_to("GET /healthz HTTP/1.1").ends_with("ok\n"));
  EXPECT_TRUE(held[0]->wait_for_close());
  ASSERT_TRUE(held[1]->send("GET /healthz HTTP/1.1\r\nHost: h\r\n\r\n"));
  EXPECT_TRUE(held[1]->receive().starts_with("HTTP/1.1 200 OK\r\n"));
}

}  // namespace
}  // namespace winadmit::server
