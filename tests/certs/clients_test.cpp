#include "certs/clients.hpp"

#include <gtest/gtest.h>

#include "tests/certs/made.hpp"
#include "tests/server/transport/handshake.hpp"

namespace winadmit::certs {
namespace {

using test::ContextPointer;
using test::Handshake;
using test::make_client;
using test::make_pair;
using test::Wanted;
using test::wanted_ca;
using test::wanted_client;

class ClientsTest : public testing::TestWithParam<int> {
 protected:
  /// Whether a server with this CA and these names serves a client with this pair.
  bool serves(const Pair* pair, const std::vector<std::string>& names = {}) const {
    Clients clients{.cas = {}, .names = names};
    X509_up_ref(ca_.leaf());
    clients.cas.emplace_back(ca_.leaf());
    const ContextPointer server(SSL_CTX_new(TLS_server_method()));
    use(server.get(), serving_);
    require(server.get(), clients);
    const ContextPointer client = make_client();
    SSL_CTX_set_min_proto_version(client.get(), GetParam());
    SSL_CTX_set_max_proto_version(client.get(), GetParam());
    if (pair != nullptr) use(client.get(), *pair);
    return Handshake(client.get(), server.get()).succeeded();
  }
  bool serves(const Wanted& wanted, const std::vector<std::string>& names = {}) const {
    const Pair pair = make_pair(wanted, &ca_);
    return serves(&pair, names);
  }

  const Pair ca_ = make_pair(wanted_ca());
  const Pair serving_ = make_pair({});
};

INSTANTIATE_TEST_SUITE_P(Tls, ClientsTest, testing::Values(TLS1_2_VERSION, TLS1_3_VERSION),
                         [](const auto& test) {
                           return test.param == TLS1_2_VERSION ? "Tls12" : "Tls13";
                         });

TEST_P(ClientsTest, ServesAnyClientOfTheCaWhereNoNameIsGiven) {
  EXPECT_TRUE(serves(wanted_client("kube-apiserver")));
  EXPECT_TRUE(serves(wanted_client("anybody")));
}

TEST_P(ClientsTest, RefusesAClientWithoutACertificateOrOfAnotherCa) {
  EXPECT_FALSE(serves(nullptr));
  const Pair other_ca = make_pair(wanted_ca());
  const Pair stranger = make_pair(wanted_client("kube-apiserver"), &other_ca);
  EXPECT_FALSE(serves(&stranger));
}

TEST_P(ClientsTest, ServesOnlyTheNamesThatAreGiven) {
  const std::vector<std::string> names = {"kube-apiserver", "webhook-client.example"};
  EXPECT_TRUE(serves(wanted_client("kube-apiserver"), names));
  EXPECT_FALSE(serves(wanted_client("system:node:worker"), names));
  EXPECT_FALSE(serves(wanted_client("kube-apiserver.example"), names));
  EXPECT_FALSE(serves(wanted_client("KUBE-APISERVER"), names));
  EXPECT_FALSE(serves(wanted_client(""), names));
  Wanted by_dns_name = wanted_client("x");
  by_dns_name.alt_names = "DNS:a.example,DNS:webhook-client.example";
  EXPECT_TRUE(serves(by_dns_name, names));
  by_dns_name.alt_names = "DNS:*.example,DNS:b.example";
  EXPECT_FALSE(serves(by_dns_name, names)) << "a wildcard is a name like others";
  by_dns_name.alt_names = "email:kube-apiserver,URI:kube-apiserver";
  EXPECT_FALSE(serves(by_dns_name, names)) << "neither is a DNS name";
}

TEST_P(ClientsTest, RefusesACertificateThatIsNotForClients) {
  Wanted serving_only = wanted_client("kube-apiserver");
  serving_only.extended_key_usage = "serverAuth";
  EXPECT_FALSE(serves(serving_only)) << "such as a kubelet's serving certificate";
  serving_only.extended_key_usage = "serverAuth,clientAuth";
  EXPECT_TRUE(serves(serving_only));
  serving_only.extended_key_usage = "";
  EXPECT_TRUE(serves(serving_only));
}

TEST_P(ClientsTest, RefusesACa) {
  EXPECT_FALSE(serves(&ca_)) << "the CA itself";
  Wanted lower_ca = wanted_client("kube-apiserver");
  lower_ca.constraints = "critical,CA:TRUE";
  lower_ca.key_usage = "";
  EXPECT_FALSE(serves(lower_ca));
  lower_ca.key_usage = "digitalSignature,keyCertSign";
  EXPECT_FALSE(serves(lower_ca));
}

TEST_P(ClientsTest, TrustsAnIntermediateCaWithoutItsIssuer) {
  Wanted wanted = wanted_ca();
  wanted.common_name = "intermediate";
  const Pair intermediate = make_pair(wanted, &ca_);
  Clients clients;
  X509_up_ref(intermediate.leaf());
  clients.cas.emplace_back(intermediate.leaf());
  const ContextPointer server(SSL_CTX_new(TLS_server_method()));
  use(server.get(), serving_);
  require(server.get(), clients);
  const auto is_served = [&](const Pair& pair) {
    const ContextPointer client = make_client();
    SSL_CTX_set_max_proto_version(client.get(), GetParam());
    use(client.get(), pair);
    return Handshake(client.get(), server.get()).succeeded();
  };
  EXPECT_TRUE(is_served(make_pair(wanted_client("below"), &intermediate)));
  EXPECT_FALSE(is_served(make_pair(wanted_client("beside"), &ca_)));
}

}  // namespace
}  // namespace winadmit::certs
