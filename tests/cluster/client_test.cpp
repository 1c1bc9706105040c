#include "cluster/client.hpp"

#include <gtest/gtest.h>

#include <future>
#include <memory>

#include "certs/issue.hpp"
#include "tests/certs/certificate_spec.hpp"
#include "tests/cluster/fake_api.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cluster {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::FakeApi;
using namespace std::chrono_literals;

class ClientTest : public testing::Test {
 protected:
  ClientTest() {
    write("token", "s3cret\n");
    write("ca.crt", ca_.certificate);
  }

  void write(const char* file, const std::string& text) const { folder_.write(file, text); }

  Client client(const FakeApi& api, const std::string& host = "127.0.0.1") const {
    return Client({.host = host,
                   .port = api.port(),
                   .token_file = folder_ / "token",
                   .ca_file = folder_ / "ca.crt"},
                  5s);
  }

  std::string error_of(const Client& client) const {
    try {
      client.send("GET", "/x");
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }

  const certs::Pem ca_ = certs::issue_ca(1h);
  const certs::Pair pair_ = certs::parse_pair(certs::issue_serving(
      certs::parse_pair(ca_), {.dns = {"localhost"}, .ips = {"127.0.0.1"}}, 1h));
  const test::TemporaryFolder folder_;
};

TEST_F(ClientTest, SendsJsonWithItsTokenAndReturnsTheResponse) {
  FakeApi api(pair_, [](const FakeApi::Request&) {
    return FakeApi::Response{.status = 201, .body = {{"kind", "Secret"}}};
  });
  const Response response =
      client(api).send("PATCH", "/api/v1/x?a=b", {{"k", "v"}}, "application/merge-patch+json");
  EXPECT_EQ(response.status, 201U);
  EXPECT_EQ(response.body, json({{"kind", "Secret"}}));
  ASSERT_EQ(api.requests().size(), 1U);
  const FakeApi::Request& request = api.requests().front();
  EXPECT_EQ(request.method, "PATCH");
  EXPECT_EQ(request.path, "/api/v1/x?a=b");
  EXPECT_EQ(request.authorization, "Bearer s3cret");
  EXPECT_EQ(request.content_type, "application/merge-patch+json");
  EXPECT_EQ(request.body, json({{"k", "v"}}));
}

TEST_F(ClientTest, ReadsTheTokenForEachCall) {
  FakeApi api(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  const Client to = client(api);
  to.send("GET", "/x");
  write("token", "renewed");
  to.send("GET", "/x");
  EXPECT_EQ(api.requests().back().authorization, "Bearer renewed");
}

TEST_F(ClientTest, TrustsOnlyItsCa) {
  FakeApi api(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  EXPECT_EQ(client(api, "localhost").send("GET", "/x").status, 200U);
  write("ca.crt", certs::issue_ca(1h).certificate);
  EXPECT_EQ(error_of(client(api)), "cannot verify https://127.0.0.1:" + api.port() + " with " +
                                       (folder_ / "ca.crt").string() +
                                       ": unable to get local issuer certificate");
  EXPECT_EQ(api.requests().size(), 1U) << "the token is not sent to an unknown server";
}

TEST_F(ClientTest, TrustsAnIntermediateCaWithoutItsIssuer) {
  test::CertificateSpec spec{.common_name = "intermediate",
                             .constraints = "critical,CA:TRUE",
                             .key_usage = "critical,keyCertSign",
                             .extended_key_usage = "",
                             .alt_names = ""};
  const certs::Pair root = certs::parse_pair(ca_);
  const certs::Pair intermediate = test::make_pair(spec, &root);
  FakeApi api(test::make_pair({}, &intermediate), [](const auto&) { return FakeApi::Response{}; });
  write("ca.crt", certs::to_pem(intermediate.leaf()));
  EXPECT_EQ(client(api).send("GET", "/x").status, 200U);
}

TEST_F(ClientTest, RefusesATokenThatNoHeaderMayHave) {
  FakeApi api(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  const std::string file = (folder_ / "token").string();
  write("token", "s3cret\nX-Other: value\n");
  EXPECT_EQ(error_of(client(api)), file + " must have a token in one line, and nothing else");
  write("token", "\n");
  EXPECT_EQ(error_of(client(api)), file + " has no token");
  EXPECT_TRUE(api.requests().empty());
  write("token", "\n s3cret \n");
  client(api).send("GET", "/x");
  EXPECT_EQ(api.requests().back().authorization, "Bearer s3cret") << "as client-go trims it";
}

TEST_F(ClientTest, NamesAMissingFile) {
  FakeApi api(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  fs::remove(folder_ / "ca.crt");
  const std::string file = (folder_ / "ca.crt").string();
  EXPECT_EQ(error_of(client(api)), "cannot read " + file + ": No such file or directory");
  fs::remove(folder_ / "token");
  EXPECT_NE(error_of(client(api)).find("token: No such file or directory"), std::string::npos);
}

TEST_F(ClientTest, ChecksTheNameOfTheServer) {
  const certs::Pair other = certs::parse_pair(certs::issue_serving(
      certs::parse_pair(ca_), {.dns = {"other.example"}, .ips = {"127.0.0.2"}}, 1h));
  FakeApi api(other, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  EXPECT_NE(error_of(client(api)).find("IP address mismatch"), std::string::npos);
  EXPECT_NE(error_of(client(api, "localhost")).find("hostname mismatch"), std::string::npos);
  EXPECT_TRUE(api.requests().empty());
}

TEST_F(ClientTest, ChecksTheAddressOfAServerThatHasAZone) {
  const certs::Pair scoped = certs::parse_pair(
      certs::issue_serving(certs::parse_pair(ca_), {.dns = {}, .ips = {"fe80::1"}}, 1h));
  FakeApi api(scoped, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  const auto to = [&](const std::string& host) {
    return Client(
        {.host = host,
         .port = api.port(),
         .token_file = folder_ / "token",
         .ca_file = folder_ / "ca.crt"},
        5s, [](const std::string&, const std::string& port) { return resolve("127.0.0.1", port); });
  };
  EXPECT_NE(error_of(to("fe80::2%eth0")).find("IP address mismatch"), std::string::npos);
  EXPECT_TRUE(api.requests().empty()) << "the token is not sent to another server";
  EXPECT_EQ(to("fe80::1%eth0").send("GET", "/x").status, 200U);
}

TEST_F(ClientTest, RefusesANameThatCannotBeVerified) {
  FakeApi api(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  const std::string too_long(300, 'a');  // SNI has 255 bytes
  const Client to(
      {.host = too_long,
       .port = api.port(),
       .token_file = folder_ / "token",
       .ca_file = folder_ / "ca.crt"},
      5s, [](const std::string&, const std::string& port) { return resolve("127.0.0.1", port); });
  EXPECT_TRUE(error_of(to).starts_with("cannot verify a server named 'aaa")) << error_of(to);
}

TEST_F(ClientTest, GivesUpOnAServerThatDoesNotAnswer) {
  FakeApi api(pair_, [](const FakeApi::Request&) {
    std::this_thread::sleep_for(1500ms);
    return FakeApi::Response{};
  });
  const Client impatient({.host = "127.0.0.1",
                          .port = api.port(),
                          .token_file = folder_ / "token",
                          .ca_file = folder_ / "ca.crt"},
                         1s);
  EXPECT_NE(error_of(impatient).find("timeout"), std::string::npos);
}

TEST_F(ClientTest, GivesUpOnAResolverThatDoesNotAnswer) {
  // Shared with the lookup, which outlives the call.
  const auto end_of_test = std::make_shared<std::promise<void>>();
  const Client impatient(
      {.host = "api.example",
       .port = "443",
       .token_file = folder_ / "token",
       .ca_file = folder_ / "ca.crt"},
      1s, [end = end_of_test->get_future().share()](const std::string&, const std::string&) {
        end.wait();
        return std::vector<boost::asio::ip::tcp::endpoint>();
      });
  const auto start = std::chrono::steady_clock::now();
  EXPECT_NE(error_of(impatient).find("timeout"), std::string::npos);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 10s);
  end_of_test->set_value();
}

TEST_F(ClientTest, CountsTheLookupAsPartOfTheTimeout) {
  FakeApi api(pair_, [](const FakeApi::Request&) {
    std::this_thread::sleep_for(700ms);
    return FakeApi::Response{};
  });
  const Client impatient({.host = "127.0.0.1",
                          .port = api.port(),
                          .token_file = folder_ / "token",
                          .ca_file = folder_ / "ca.crt"},
                         1s, [](const std::string& host, const std::string& port) {
                           std::this_thread::sleep_for(700ms);
                           return resolve(host, port);
                         });
  EXPECT_NE(error_of(impatient).find("timeout"), std::string::npos);
}

TEST_F(ClientTest, NamesTheServerThatRefusesAConnection) {
  std::string port;
  {
    FakeApi gone(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
    port = gone.port();
  }
  const Client client({.host = "127.0.0.1",
                       .port = port,
                       .token_file = folder_ / "token",
                       .ca_file = folder_ / "ca.crt"});
  EXPECT_EQ(error_of(client), "GET https://127.0.0.1:" + port + "/x: Connection refused");
  EXPECT_EQ(served_sha256("127.0.0.1", port), "");
}

TEST_F(ClientTest, FetchesAServedCertificateWithoutVerifyingIt) {
  FakeApi api(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  EXPECT_EQ(served_sha256("127.0.0.1", api.port()), certs::describe(pair_.leaf()).sha256);
}

TEST(ClusterClientErrors, TellsTheStatusOfARefusalWithoutAMessage) {
  EXPECT_EQ(Client::error_message({.status = 500, .body = {{"message", 5}}}), "500: no message");
  EXPECT_EQ(Client::error_message({.status = 500, .body = nullptr}), "500");
}

}  // namespace
}  // namespace winadmit::cluster
