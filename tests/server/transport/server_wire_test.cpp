// The server as a whole: addresses, the admin port and metrics.
#include <gtest/gtest.h>

#include <ctime>
#include <exception>
#include <stdexcept>
#include <string>

#include "export/webhook_configurations.hpp"
#include "tests/server/transport/test_server.hpp"
#include "tests/server/transport/tls_client.hpp"

namespace winadmit::test {
namespace {

TEST(ServerWire, DoesNotStartWithABadAddressOrAPortThatIsTaken) {
  const TestServer first;
  EXPECT_THROW(TestServer([&](server::Options& options) {
                 options.listen = "127.0.0.1:" + std::to_string(first.port());
               }),
               std::exception);
  for (const char* bad : {"nowhere", "127.0.0.1", "127.0.0.1:", "127.0.0.1:70000", ":x",
                          "127.0.0.1:-1", "localhost:1"}) {
    SCOPED_TRACE(bad);
    EXPECT_THROW(TestServer([&](server::Options& options) { options.listen = bad; }),
                 std::invalid_argument);
  }
}

TEST(ServerWire, ServesTheAdminPort) {
  const TestServer server;
  EXPECT_EQ(server.admin("/healthz"), "200 ok\n");
  EXPECT_EQ(server.admin("/readyz"), "200 ok\n");
  EXPECT_TRUE(server.admin("/version").starts_with("200 {\"version\""));
  EXPECT_TRUE(server.admin("/elsewhere").starts_with("404 "));
}

TEST(ServerWire, IsSilentIfTheMatchConditionsFit) {
  const TestServer server([](server::Options& options) {
    options.match_conditions = server::match_conditions_hash({});
  });
  EXPECT_EQ(server.admin("/readyz"), "200 ok\n");
  EXPECT_TRUE(server.reaches_metric("winadmit_match_conditions_mismatch 0"));
}

TEST(ServerWire, SaysThatTheMatchConditionsAreForAnotherConfiguration) {
  const TestServer server(
      [](server::Options& options) { options.match_conditions = std::string(64, '0'); });
  EXPECT_EQ(server.admin("/readyz"),
            "200 ok\nwarning: the matchConditions of the webhook configurations are for another "
            "configuration\n");
  EXPECT_TRUE(server.reaches_metric("winadmit_match_conditions_mismatch 1"));
}

TEST(ServerWire, CountsRequestsAndConnections) {
  const TestServer server;
  TlsClient client(server.port());
  ASSERT_TRUE(answers(client.post(review_with_findings("refused", 2)), "refused"));
  ASSERT_TRUE(answers(client.post(review("placed"), "/mutate"), "placed"));
  ASSERT_EQ(client.post("nonsense").status, 400);
  ASSERT_EQ(client.post(review("x"), "/elsewhere").status, 404);
  for (const char* line : {R"(winadmit_requests_total{path="/validate",decision="denied"} 1)",
                           R"(winadmit_requests_total{path="/mutate",decision="patched"} 1)",
                           R"(winadmit_patches_total{operation="CREATE"} 1)",
                           R"(winadmit_patches_total{operation="UPDATE"} 0)",
                           R"(winadmit_bad_requests_total{reason="not_json"} 1)",
                           R"(winadmit_bad_requests_total{reason="not_found"} 1)",
                           "winadmit_connections_total 1", "winadmit_connections 1"}) {
    EXPECT_TRUE(server.reaches_metric(line)) << line;
  }
}

TEST(ServerWire, ReportsTheExpiryOfTheCertificate) {
  const TestServer server;
  const std::string name = "\nwinadmit_certificate_expiry_timestamp_seconds ";
  const std::string metrics = server.admin("/metrics");
  const std::size_t at = metrics.find(name);
  ASSERT_NE(at, std::string::npos);
  EXPECT_GT(std::stod(metrics.substr(at + name.size())), static_cast<double>(std::time(nullptr)));
}

}  // namespace
}  // namespace winadmit::test
