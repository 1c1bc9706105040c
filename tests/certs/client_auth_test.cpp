#include "certs/client_auth.hpp"

#include <gtest/gtest.h>

#include "tests/certs/certificate_spec.hpp"
#include "tests/server/transport/handshake.hpp"

namespace winadmit::certs {
namespace {

using test::ca_spec;
using test::CertificateSpec;
using test::client_spec;
using test::ContextPointer;
using test::Handshake;
using test::make_client;
using test::make_pair;

class ClientAuthTest : public testing::TestWithParam<int> {
 protected:
  /// Whether a server with this CA and these names serves a client with this pair.
  bool serves(const Pair* pair, const std::vector<std::string>& names = {}) const {
    ClientAuth clients{.cas = {}, .names = names};
    X509_up_ref(ca_.leaf());
    clients.cas.emplace_back(ca_.leaf());
    const ContextPointer server(SSL_CTX_new(TLS_server_method()));
    use_pair(server.get(), serving_);
    require_clients(server.get(), clients);
    const ContextPointer client = make_client();
    SSL_CTX_set_min_proto_version(client.get(), GetParam());
    SSL_CTX_set_max_proto_version(client.get(), GetParam());
    if (pair != nullptr) use_pair(client.get(), *pair);
    return Handshake(client.get(), server.get()).succeeded();
  }
  bool serves(const CertificateSpec& spec, const std::vector<std::string>& names = {}) const {
    const Pair pair = make_pair(spec, &ca_);
    return serves(&pair, names);
  }

  const Pair ca_ = make_pair(ca_spec());
  const Pair serving_ = make_pair({});
};

INSTANTIATE_TEST_SUITE_P(Tls, ClientAuthTest, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& test) {
                           return test.param == TLS1_2_VERSION ? "Tls12" : "Tls13";
                         });

TEST_P(ClientAuthTest, ServesAnyClientOfTheCaWhereNoNameIsGiven) {
  EXPECT_TRUE(serves(client_spec("kube-apiserver")));
  EXPECT_TRUE(serves(client_spec("anybody")));
}

TEST_P(ClientAuthTest, RefusesAClientWithoutACertificateOrOfAnotherCa) {
  EXPECT_FALSE(serves(nullptr));
  const Pair other_ca = make_pair(ca_spec());
  const Pair stranger = make_pair(client_spec("kube-apiserver"), &other_ca);
  EXPECT_FALSE(serves(&stranger));
}

TEST_P(ClientAuthTest, ServesOnlyTheNamesThatAreGiven) {
  const std::vector<std::string> names = {"kube-apiserver", "webhook-client.example"};
  EXPECT_TRUE(serves(client_spec("kube-apiserver"), names));
  EXPECT_FALSE(serves(client_spec("system:node:worker"), names));
  EXPECT_FALSE(serves(client_spec("kube-apiserver.example"), names));
  EXPECT_FALSE(serves(client_spec("KUBE-APISERVER"), names));
  EXPECT_FALSE(serves(client_spec(""), names));
  CertificateSpec by_dns_name = client_spec("x");
  by_dns_name.alt_names = "DNS:a.example,DNS:webhook-client.example";
  EXPECT_TRUE(serves(by_dns_name, names));
  by_dns_name.alt_names = "DNS:*.example,DNS:b.example";
  EXPECT_FALSE(serves(by_dns_name, names)) << "a wildcard is a name like others";
  by_dns_name.alt_names = "email:kube-apiserver,URI:kube-apiserver";
  EXPECT_FALSE(serves(by_dns_name, names)) << "neither is a DNS name";
}

TEST_P(ClientAuthTest, RefusesACertificateThatIsNotForClients) {
  CertificateSpec serving_only = client_spec("kube-apiserver");
  serving_only.extended_key_usage = "serverAuth";
  EXPECT_FALSE(serves(serving_only)) << "such as a kubelet's serving certificate";
  serving_only.extended_key_usage = "serverAuth,clientAuth";
  EXPECT_TRUE(serves(serving_only));
  serving_only.extended_key_usage = "";
  EXPECT_TRUE(serves(serving_only));
}

TEST_P(ClientAuthTest, ServesACertificateThatIsForAnyUse) {
  CertificateSpec any_use = client_spec("kube-apiserver");
  any_use.extended_key_usage = "anyExtendedKeyUsage";
  EXPECT_TRUE(serves(any_use));
  any_use.extended_key_usage = "serverAuth,anyExtendedKeyUsage";
  EXPECT_TRUE(serves(any_use));
  EXPECT_FALSE(serves(any_use, {"another name"}));
  any_use.constraints = "critical,CA:TRUE";
  any_use.key_usage = "";
  EXPECT_FALSE(serves(any_use)) << "a CA is no client";
}

TEST_P(ClientAuthTest, RefusesACa) {
  EXPECT_FALSE(serves(&ca_)) << "the CA itself";
  CertificateSpec lower_ca = client_spec("kube-apiserver");
  lower_ca.constraints = "critical,CA:TRUE";
  lower_ca.key_usage = "";
  EXPECT_FALSE(serves(lower_ca));
  lower_ca.key_usage = "digitalSignature,keyCertSign";
  EXPECT_FALSE(serves(lower_ca));
}

TEST_P(ClientAuthTest, TrustsAnIntermediateCaWithoutItsIssuer) {
  CertificateSpec spec = ca_spec();
  spec.common_name = "intermediate";
  const Pair intermediate = make_pair(spec, &ca_);
  ClientAuth clients;
  X509_up_ref(intermediate.leaf());
  clients.cas.emplace_back(intermediate.leaf());
  const ContextPointer server(SSL_CTX_new(TLS_server_method()));
  use_pair(server.get(), serving_);
  require_clients(server.get(), clients);
  const auto is_served = [&](const Pair& pair) {
    const ContextPointer client = make_client();
    SSL_CTX_set_max_proto_version(client.get(), GetParam());
    use_pair(client.get(), pair);
    return Handshake(client.get(), server.get()).succeeded();
  };
  EXPECT_TRUE(is_served(make_pair(client_spec("below"), &intermediate)));
  EXPECT_FALSE(is_served(make_pair(client_spec("beside"), &ca_)));
}

}  // namespace
}  // namespace winadmit::certs
