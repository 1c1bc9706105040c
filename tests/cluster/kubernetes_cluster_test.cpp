#include "cluster/kubernetes_cluster.hpp"

#include <gtest/gtest.h>

#include "bytes/base64.hpp"
#include "certs/issue.hpp"
#include "tests/cluster/fake_api.hpp"
#include "tests/error_of.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cluster {
namespace {

using nlohmann::json;
using test::error_of;
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
    if (request.method != "GET") {
      if (stores_) store(request);
      return {.status = written_, .body = {{"message", "because"}}};
    }
    const auto found = objects_.find(request.path);
    if (found == objects_.end()) return {.status = missing_, .body = {{"message", "not found"}}};
    return {.status = 200, .body = found->second};
  }

  /// Applies a merge patch or a JSON patch.
  void store(const FakeApi::Request& request) {
    json& object = objects_.at(request.path);
    if (request.content_type == "application/json-patch+json") {
      object = object.patch(request.body);
    } else {
      object.merge_patch(request.body);
    }
  }

  KubernetesCluster kubernetes() const {
    return {Client({.host = "127.0.0.1",
                    .port = api_.port(),
                    .token_file = folder_ / "token",
                    .ca_file = folder_ / "ca.crt"},
                   5s),
            {.name_space = "ns",
             .secret = "tls",
             .other_secret = other_secret_,
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
  std::string other_secret_;
  int written_ = 200;
  int missing_ = 404;
  bool stores_ = false;
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
  EXPECT_EQ(from_base64(last().body["data"]["ca.key"].get<std::string>()), "CK");
}

TEST_F(KubernetesClusterTest, SaysToApplyTheManifestsIfItMayNotCreateTheSecret) {
  written_ = 403;
  try {
    kubernetes().write(Secret{});
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(),
                 "Secret ns/tls does not exist and cannot be created. Apply the manifests, or run "
                 "helm upgrade, first: they contain the empty Secret. Then run the Job again. "
                 "POST /api/v1/namespaces/ns/secrets: 403: because");
  }
}

TEST_F(KubernetesClusterTest, ReadsTheCasOfTheOtherSecretAndFailsUntilItHasSome) {
  EXPECT_EQ(kubernetes().read_other_cas(), "") << "there is no other Secret";
  other_secret_ = "other";
  EXPECT_THROW(kubernetes().read_other_cas(), Error);
  objects_["/api/v1/namespaces/ns/secrets/other"] = {{"kind", "Secret"},
                                                     {"metadata", {{"resourceVersion", "7"}}},
                                                     {"data", {{"ca.crt", to_base64("CA")}}}};
  EXPECT_EQ(kubernetes().read_other_cas(), "CA");
}

TEST_F(KubernetesClusterTest, PatchesTheVersionOfASecretThatWasRead) {
  objects_["/api/v1/namespaces/ns/secrets/tls"] = {
      {"kind", "Secret"},
      {"metadata", {{"resourceVersion", "7"}}},
      {"data", {{"ca.crt", to_base64("CA")}, {"tls.key", to_base64("K")}}}};
  const Secret read = kubernetes().read_secret();
  EXPECT_EQ(read.ca_crt, "CA");
  EXPECT_EQ(read.tls_key, "K");
  EXPECT_EQ(read.version, "7");
  EXPECT_TRUE(kubernetes().write(read));
  EXPECT_EQ(last().method, "PATCH");
  EXPECT_EQ(last().content_type, "application/merge-patch+json");
  EXPECT_EQ(last().body["metadata"], json({{"resourceVersion", "7"}}));
  EXPECT_EQ(last().body["data"]["ca.crt"], to_base64("CA"));
}

TEST_F(KubernetesClusterTest, ReadsAnEmptySecret) {
  objects_["/api/v1/namespaces/ns/secrets/tls"] = {{"kind", "Secret"},
                                                   {"metadata", {{"resourceVersion", "7"}}}};
  EXPECT_TRUE(is_empty(kubernetes().read_secret()));
  EXPECT_EQ(kubernetes().read_secret().version, "7");
}

TEST_F(KubernetesClusterTest, ReturnsFalseForAConflictAndThrowsOtherErrors) {
  const Secret secret{.ca_crt = {}, .ca_key = {}, .tls_crt = {}, .tls_key = {}, .version = "7"};
  written_ = 409;
  EXPECT_FALSE(kubernetes().write(secret));
  written_ = 404;
  EXPECT_FALSE(kubernetes().write(secret)) << "deleted since it was read";
  written_ = 422;
  EXPECT_EQ(error_of([&] { kubernetes().write(secret); }),
            "PATCH /api/v1/namespaces/ns/secrets/tls: 422: because");
}

TEST_F(KubernetesClusterTest, SaysToApplyTheManifestsIfThePermissionsAreMissing) {
  const std::string advice =
      "; apply the manifests, or run helm upgrade, first: they contain the permissions of the Job; "
      "then run the Job again";
  written_ = 403;
  const Secret secret{.ca_crt = {}, .ca_key = {}, .tls_crt = {}, .tls_key = {}, .version = "7"};
  EXPECT_EQ(error_of([&] { kubernetes().write(secret); }),
            "PATCH /api/v1/namespaces/ns/secrets/tls: 403: because" + advice);
  missing_ = 403;
  EXPECT_EQ(error_of([&] { kubernetes().read_secret(); }),
            "GET /api/v1/namespaces/ns/secrets/tls: 403: not found" + advice);
}

TEST_F(KubernetesClusterTest, SetsTheBundleOfEachWebhook) {
  objects_[kWebhooks + "validatingwebhookconfigurations/v"] = {
      {"metadata", {{"resourceVersion", "9"}}},
      {"webhooks",
       {{{"clientConfig", {{"caBundle", to_base64("A")}}}},
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

std::size_t count_cas(const std::string& base64) {
  return certs::parse_certificates(from_base64(base64).value(), "CAs").size();
}

TEST_F(KubernetesClusterTest, RestoresAnEmptySecretWhileReplicasServeTheOldPair) {
  const std::string secret = "/api/v1/namespaces/ns/secrets/tls";
  const std::string slices =
      "/apis/discovery.k8s.io/v1/namespaces/ns/endpointslices?labelSelector="
      "kubernetes.io%2Fservice-name%3Dsvc";
  const auto serving_on = [](const std::string& port) {
    return json::parse(R"({"items": [{"ports": [{"name": "https", "port": )" + port +
                       R"(}], "endpoints": [{"addresses": ["127.0.0.1"]}]}]})");
  };
  const json meta = {{"resourceVersion", "1"}};
  json webhooks = {{"metadata", meta}};
  webhooks["webhooks"][0]["clientConfig"]["caBundle"] = to_base64(ca_.certificate);
  stores_ = true;
  objects_[secret] = {{"kind", "Secret"}, {"metadata", meta}};
  objects_[kWebhooks + "mutatingwebhookconfigurations/m"] = webhooks;
  objects_[kWebhooks + "validatingwebhookconfigurations/v"] = webhooks;
  objects_[slices] = serving_on(api_.port());  // with a pair of the old CA
  const auto run = [&] {
    KubernetesCluster cluster = kubernetes();
    return rotate(cluster, {.names = {.dns = {"svc"}, .ips = {}},
                            .lifetimes = {},
                            .wait = 0s,
                            .sleep = [](std::chrono::seconds) {},
                            .report = [](const std::string&) {}});
  };
  EXPECT_EQ(run(), "the old CA is still trusted: 127.0.0.1 still serves another pair");
  const auto ca_bundle = [&](const std::string& path) {
    return objects_.at(kWebhooks + path)["webhooks"][0]["clientConfig"]["caBundle"]
        .get<std::string>();
  };
  const auto secret_value = [&](const char* key) {
    return objects_.at(secret)["data"][key].get<std::string>();
  };
  EXPECT_EQ(count_cas(secret_value("ca.crt")), 2U);
  EXPECT_EQ(ca_bundle("mutatingwebhookconfigurations/m"), secret_value("ca.crt"));
  EXPECT_EQ(ca_bundle("validatingwebhookconfigurations/v"), secret_value("ca.crt"));

  std::vector<std::string> written;
  for (const FakeApi::Request& each : api_.requests()) {
    if (each.method != "PATCH") continue;
    const bool has_pair = each.path == secret && each.body["data"]["tls.crt"] != "";
    written.push_back(has_pair ? "pair" : each.path.substr(each.path.rfind('/') + 1));
  }
  EXPECT_EQ(written, (std::vector<std::string>{"tls", "m", "v", "pair"}))
      << "no replica can serve the new pair before the API servers trust its CA";

  const certs::Pair renewed =
      certs::parse_pair({.certificate = from_base64(secret_value("tls.crt")).value(),
                         .key = from_base64(secret_value("tls.key")).value()});
  const FakeApi replica(renewed, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  objects_[slices] = serving_on(replica.port());
  EXPECT_EQ(run(), "");
  EXPECT_EQ(count_cas(secret_value("ca.crt")), 1U);
  EXPECT_EQ(ca_bundle("mutatingwebhookconfigurations/m"), secret_value("ca.crt"));
}

TEST_F(KubernetesClusterTest, ReadsReplicasFromEndpointSlices) {
  const FakeApi replica(pair_, [](const FakeApi::Request&) { return FakeApi::Response{}; });
  const json ports = {{{"name", "metrics"}, {"port", 1}},
                      {{"name", "https"}, {"port", std::stoi(replica.port())}}};
  const json up = {{"addresses", {"127.0.0.1"}}, {"conditions", {{"ready", true}}}};
  const json starting = {{"addresses", {"127.0.0.2"}}, {"conditions", {{"ready", false}}}};
  // All addresses of an endpoint are of one replica (k8s.io/api discovery/v1, Endpoint).
  const json unknown = {{"addresses", {"127.0.0.1", "127.0.0.3"}}, {"conditions", json::object()}};
  const json nowhere = {{"addresses", json::array()}};
  objects_
      ["/apis/discovery.k8s.io/v1/namespaces/ns/endpointslices?labelSelector="
       "kubernetes.io%2Fservice-name%3Dsvc"] = {
          {"items",
           {{{"ports", ports}, {"endpoints", {up, starting}}},
            {{"ports", ports}, {"endpoints", {nowhere, unknown}}},
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

TEST_F(KubernetesClusterTest, NamesThePathOfAnAnswerThatIsNotOfTheApi) {
  const std::string secret = "/api/v1/namespaces/ns/secrets/tls";
  objects_[secret] = {
      {"kind", "Secret"}, {"metadata", {{"resourceVersion", "7"}}}, {"data", {{"ca.crt", 5}}}};
  EXPECT_TRUE(error_of([&] {
                kubernetes().read_secret();
              }).starts_with("GET " + secret + ": unexpected answer: "));
  objects_[secret] = {{"kind", "Status"}, {"metadata", json::object()}};
  EXPECT_EQ(error_of([&] { kubernetes().read_secret(); }),
            "GET " + secret + ": unexpected answer: it is no Secret");
  const std::string webhooks = kWebhooks + "mutatingwebhookconfigurations/m";
  objects_[webhooks] = {{"metadata", {{"resourceVersion", 7}}}};
  EXPECT_TRUE(error_of([&] {
                kubernetes().read_webhooks();
              }).starts_with("GET " + webhooks + ": unexpected answer: "));
}

}  // namespace
}  // namespace winadmit::cluster
