#include "cluster/kubernetes_cluster.hpp"

#include <gtest/gtest.h>

#include "certs/base64.hpp"
#include "certs/issue.hpp"
#include "tests/cluster/fake_api.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cluster {
namespace {

using nlohmann::json;
using test::FakeApi;
using namespace std::chrono_literals;

const std::string kWebhooks = "/apis/admissionregistration.k8s.io/v1/";

class KubernetesClusterTest : public testing::Test {
 protected:
  KubernetesClusterTest() {
    folder_.write("token", "t");
    folder_.write("ca.crt", ca_.certificate);
  }

  /// Answers a GET with the object at its path, 404 without one; anything else with `written_`.
  FakeApi::Response answer(const FakeApi::Request& request) {
    if (request.method != "GET") return {.status = written_, .body = {{"message", "because"}}};
    const auto found = objects_.find(request.path);
    if (found == objects_.end()) return {.status = 404, .body = {{"message", "not found"}}};
    return {.status = 200, .body = found->second};
  }

  KubernetesCluster kubernetes() const {
    return {Client({.host = "127.0.0.1",
                    .port = api_.port(),
                    .token_file = folder_ / "token",
                    .ca_file = folder_ / "ca.crt"},
                   5s),
            {.name_space = "ns",
             .secret = "tls",
             .service = "svc",
             .mutating = {"m"},
             .validating = {"v"}}};
  }

  const FakeApi::Request& last() const { return api_.requests().back(); }

  const certs::Pem ca_ = certs::issue_ca(1h);
  const certs::Pair pair_ = certs::parse_pair(
      certs::issue_serving(certs::parse_pair(ca_), {.dns = {}, .ips = {"127.0.0.1"}}, 1h));
  const test::TemporaryFolder folder_;
  std::map<std::string, json> objects_;
  int written_ = 200;
  FakeApi api_{pair_, [this](const FakeApi::Request& request) { return answer(request); }};
};

TEST_F(KubernetesClusterTest, CreatesAMissingSecret) {
  EXPECT_TRUE(is_empty(kubernetes().read_secret()));
  EXPECT_EQ(kubernetes().read_secret().version, "");
  written_ = 201;
  EXPECT_TRUE(kubernetes().write(
      {.ca_crt = "CA", .ca_key = "CK", .tls_crt = "C", .tls_key = "K", .version = ""}));
  EXPECT_EQ(last().method, "POST");
  EXPECT_EQ(last().path, "/api/v1/namespaces/ns/secrets");
  EXPECT_EQ(last().body["type"], "kubernetes.io/tls");
  EXPECT_EQ(last().body["metadata"]["name"], "tls");
  EXPECT_EQ(certs::from_base64(last().body["data"]["ca.key"].get<std::string>()), "CK");
}

TEST_F(KubernetesClusterTest, PatchesTheVersionOfASecretThatWasRead) {
  objects_["/api/v1/namespaces/ns/secrets/tls"] = {
      {"metadata", {{"resourceVersion", "7"}}},
      {"data", {{"ca.crt", certs::to_base64("CA")}, {"tls.key", certs::to_base64("K")}}}};
  const Secret read = kubernetes().read_secret();
  EXPECT_EQ(read.ca_crt, "CA");
  EXPECT_EQ(read.tls_key, "K");
  EXPECT_EQ(read.version, "7");
  EXPECT_TRUE(kubernetes().write(read));
  EXPECT_EQ(last().method, "PATCH");
  EXPECT_EQ(last().content_type, "application/merge-patch+json");
  EXPECT_EQ(last().body["metadata"], json({{"resourceVersion", "7"}}));
  EXPECT_EQ(last().body["data"]["ca.crt"], certs::to_base64("CA"));
}

TEST_F(KubernetesClusterTest, ReadsAnEmptySecret) {
  objects_["/api/v1/namespaces/ns/secrets/tls"] = {{"metadata", {{"resourceVersion", "7"}}}};
  EXPECT_TRUE(is_empty(kubernetes().read_secret()));
  EXPECT_EQ(kubernetes().read_secret().version, "7");
}

TEST_F(KubernetesClusterTest, ReturnsFalseForAConflictAndThrowsOtherErrors) {
  const Secret secret{.ca_crt = {}, .ca_key = {}, .tls_crt = {}, .tls_key = {}, .version = "7"};
  written_ = 409;
  EXPECT_FALSE(kubernetes().write(secret));
  written_ = 403;
  try {
    kubernetes().write(secret);
    FAIL() << "no error";
  } catch (const certs::Error& error) {
    EXPECT_STREQ(error.what(), "PATCH /api/v1/namespaces/ns/secrets/tls: 403: because");
  }
}

TEST_F(KubernetesClusterTest, SetsTheBundleOfEachWebhook) {
  objects_[kWebhooks + "validatingwebhookconfigurations/v"] = {
      {"metadata", {{"resourceVersion", "9"}}},
      {"webhooks",
       {{{"clientConfig", {{"caBundle", certs::to_base64("A")}}}},
        {{"clientConfig", {{"service", {{"name", "svc"}}}}}}}}};
  std::vector<WebhookConfiguration> read = kubernetes().read_webhooks();
  ASSERT_EQ(read.size(), 2U);
  EXPECT_EQ(read[0].kind, "MutatingWebhookConfiguration");
  EXPECT_EQ(read[0].version, "") << "it does not exist";
  EXPECT_EQ(read[1].ca_bundles, (std::vector<std::string>{"A", ""}));
  EXPECT_EQ(read[1].version, "9");

  read[1].ca_bundles = {"B", "B"};
  EXPECT_TRUE(kubernetes().write(read[1]));
  EXPECT_EQ(last().path, kWebhooks + "validatingwebhookconfigurations/v");
  EXPECT_EQ(last().content_type, "application/json-patch+json");
  const json expected = json::parse(R"([
    {"op": "replace", "path": "/metadata/resourceVersion", "value": "9"},
    {"op": "add", "path": "/webhooks/0/clientConfig/caBundle", "value": "Qg=="},
    {"op": "add", "path": "/webhooks/1/clientConfig/caBundle", "value": "Qg=="}])");
  EXPECT_EQ(last().body, expected);
}

TEST_F(KubernetesClusterTest, ReadsReplicasFromEndpointSlices) {
  const FakeApi replica(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  const json ports = {{{"name", "metrics"}, {"port", 1}},
                      {{"name", "https"}, {"port", std::stoi(replica.port())}}};
  const json up = {{"addresses", {"127.0.0.1"}}, {"conditions", {{"ready", true}}}};
  const json starting = {{"addresses", {"127.0.0.2"}}, {"conditions", {{"ready", false}}}};
  const json unknown = {{"addresses", {"127.0.0.1"}}, {"conditions", json::object()}};
  objects_
      ["/apis/discovery.k8s.io/v1/namespaces/ns/endpointslices?labelSelector="
       "kubernetes.io%2Fservice-name%3Dsvc"] = {{"items",
                                                 {{{"ports", ports}, {"endpoints", {up, starting}}},
                                                  {{"ports", ports}, {"endpoints", {unknown}}},
                                                  {{"ports", nullptr}, {"endpoints", nullptr}}}}};
  const std::vector<Replica> replicas = kubernetes().read_replicas();
  const std::string served = certs::describe(pair_.leaf()).sha256;
  ASSERT_EQ(replicas.size(), 3U);
  EXPECT_EQ(replicas[0].sha256, served);
  EXPECT_TRUE(replicas[0].ready);
  EXPECT_EQ(replicas[1].sha256, "");
  EXPECT_FALSE(replicas[1].ready);
  EXPECT_EQ(replicas[2].sha256, served);
  EXPECT_TRUE(replicas[2].ready);
}

/// The message of the Error that `read` throws.
template <typename Read>
std::string error_of(const Read& read) {
  try {
    read();
  } catch (const certs::Error& error) {
    return error.what();
  }
  return "no error";
}

TEST_F(KubernetesClusterTest, NamesThePathOfAnAnswerThatIsNotOfTheApi) {
  const std::string secret = "/api/v1/namespaces/ns/secrets/tls";
  objects_[secret] = {{"metadata", {{"resourceVersion", "7"}}}, {"data", {{"ca.crt", 5}}}};
  EXPECT_TRUE(error_of([&] {
                kubernetes().read_secret();
              }).starts_with("GET " + secret + ": unexpected answer: "));
  const std::string webhooks = kWebhooks + "mutatingwebhookconfigurations/m";
  objects_[webhooks] = {{"metadata", {{"resourceVersion", 7}}}};
  EXPECT_TRUE(error_of([&] {
                kubernetes().read_webhooks();
              }).starts_with("GET " + webhooks + ": unexpected answer: "));
}

}  // namespace
}  // namespace winadmit::cluster
