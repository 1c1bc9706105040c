// TLS sessions: versions, ciphers, client certificates and plaintext.
#include <gtest/gtest.h>
#include <openssl/err.h>

#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "tests/certs/certificate_spec.hpp"
#include "tests/server/transport/test_server.hpp"
#include "tests/server/transport/tls_client.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/text.hpp"

namespace winadmit::test {
namespace {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

TEST(TlsWire, SupportsTls12And13Only) {
  const TestServer server;
  for (const auto& [version, name] :
       {std::pair{TLS1_2_VERSION, "TLSv1.2"}, std::pair{TLS1_3_VERSION, "TLSv1.3"}}) {
    TlsClient client(server.port(), {.version = version});
    ASSERT_TRUE(client.connected()) << name;
    EXPECT_STREQ(client.version(), name);
    EXPECT_TRUE(answers(client.post(review("a", 100'000)), "a"));
  }
  EXPECT_FALSE(TlsClient(server.port(), {.version = TLS1_1_VERSION}).connected());
}

TEST(TlsWire, SupportsEachCipherWithLargeBodiesAndKeyUpdates) {
  const TestServer server;
  for (const auto& [version, cipher] :
       {std::pair{TLS1_3_VERSION, "TLS_AES_128_GCM_SHA256"},
        std::pair{TLS1_3_VERSION, "TLS_AES_256_GCM_SHA384"},
        std::pair{TLS1_3_VERSION, "TLS_CHACHA20_POLY1305_SHA256"},
        std::pair{TLS1_2_VERSION, "ECDHE-ECDSA-AES128-GCM-SHA256"},
        std::pair{TLS1_2_VERSION, "ECDHE-ECDSA-AES256-GCM-SHA384"},
        std::pair{TLS1_2_VERSION, "ECDHE-ECDSA-CHACHA20-POLY1305"}}) {
    SCOPED_TRACE(cipher);
    TlsClient client(server.port(), {.version = version, .cipher = cipher});
    ASSERT_TRUE(client.connected());
    EXPECT_STREQ(client.cipher(), cipher);
    for (const std::size_t padding : {0U, 1U, 16'000U, 300'000U}) {
      EXPECT_TRUE(answers(client.post(review("a", padding)), "a")) << padding;
    }
    if (version != TLS1_3_VERSION) continue;
    for (int i = 0; i < 3; ++i) {
      ASSERT_TRUE(client.update_keys());
      EXPECT_TRUE(answers(client.post(review("b", 20'000)), "b"));
    }
  }
}

TEST(TlsWire, RequiresAClientCertificateOfTheClientCa) {
  const certs::Pair ca = make_pair(ca_spec());
  const certs::Pair other_ca = make_pair(ca_spec());
  const certs::Pair client_pair = make_pair(client_spec("kube-apiserver"), &ca);
  const certs::Pair other_pair = make_pair(client_spec("kube-apiserver"), &other_ca);
  const TemporaryFolder folder;
  folder.write("ca.crt", certs::to_pem(ca.leaf()));
  const TestServer server(
      [&](server::Options& options) { options.certificate.client_ca = folder / "ca.crt"; });
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    SCOPED_TRACE(version);
    TlsClient client(server.port(), {.version = version, .pair = &client_pair});
    EXPECT_TRUE(answers(client.post(review("k")), "k"));
    TlsClient other(server.port(), {.version = version, .pair = &other_pair});
    EXPECT_EQ(other.post(review("u")).status, 0);
    TlsClient without(server.port(), {.version = version});
    EXPECT_EQ(without.post(review("n")).status, 0);
  }
  EXPECT_TRUE(server.reaches_metric(
      "winadmit_tls_handshake_failures_total{reason=\"client_certificate\"} 4"));
}

TEST(TlsWire, ReadsWhatARefusedClientSendsSoThatItSeesTheReason) {
  const certs::Pair ca = make_pair(ca_spec());
  const TemporaryFolder folder;
  folder.write("ca.crt", certs::to_pem(ca.leaf()));
  const TestServer server(
      [&](server::Options& options) { options.certificate.client_ca = folder / "ca.crt"; });
  TlsClient client(server.port());
  ASSERT_TRUE(client.connected()) << "in TLS 1.3 the server verifies after the client";
  ASSERT_TRUE(server.reaches_metric(
      "winadmit_tls_handshake_failures_total{reason=\"client_certificate\"} 1"));
  for (int i = 0; i < 3; ++i) {  // a reset arrives after the first
    EXPECT_TRUE(client.send(post_request(review("a")))) << i;
    client.wait_until_received();
  }
  EXPECT_EQ(client.read_reply().status, 0);
  EXPECT_EQ(ERR_GET_REASON(ERR_peek_last_error()), SSL_R_TLSV13_ALERT_CERTIFICATE_REQUIRED);
  TlsClient flooding(server.port());
  const std::string megabyte(1'000'000, 'x');
  int sent = 0;
  while (sent < 20 && flooding.send(megabyte)) ++sent;
  EXPECT_LT(sent, 20) << "more than a small request is not read";
}

TEST(TlsWire, RequiresACertificateOfTheRenewedClientCa) {
  const certs::Pair old_ca = make_pair(ca_spec());
  const certs::Pair new_ca = make_pair(ca_spec());
  const certs::Pair old_client = make_pair(client_spec("kube-apiserver"), &old_ca);
  const certs::Pair new_client = make_pair(client_spec("kube-apiserver"), &new_ca);
  const TemporaryFolder folder;
  folder.write("ca.crt", certs::to_pem(old_ca.leaf()));
  const TestServer server([&](server::Options& options) {
    options.certificate.client_ca = folder / "ca.crt";
    options.reload_interval = 50ms;
  });
  const auto serves = [&](const certs::Pair& pair) {
    return answers(TlsClient(server.port(), {.pair = &pair}).post(review("a")), "a");
  };
  EXPECT_TRUE(serves(old_client));
  folder.write("ca.crt", certs::to_pem(new_ca.leaf()));
  ASSERT_TRUE(server.reaches_metric("winadmit_certificate_reloads_total{result=\"success\"} 1"));
  EXPECT_TRUE(serves(new_client));
  EXPECT_FALSE(serves(old_client));
}

TEST(TlsWire, AnswersARequestThatComesWithTheEndOfTheHandshake) {
  const TestServer server;
  TlsClient client(server.port(), {.request = post_request(review("first"))});
  EXPECT_TRUE(answers(client.read_reply(), "first"));
  EXPECT_TRUE(answers(client.post(review("second")), "second"));
}

TEST(TlsWire, ClosesASessionWithTooManyKeyUpdates) {
  const TestServer server;
  TlsClient client(server.port());
  ASSERT_TRUE(answers(client.post(review("before")), "before"));
  ASSERT_TRUE(client.send_key_updates(100));
  EXPECT_TRUE(client.wait_for_close());
}

struct Plaintext {
  std::string reply;
  bool is_closed_at_once;  // and not after the handshake timeout
};

Plaintext send_plaintext(const TestServer& server, const std::string& bytes) {
  const TcpClient plain(server.port());
  const auto start = steady_clock::now();
  plain.send(bytes);
  Plaintext result{};
  for (std::string part; !(part = plain.receive()).empty();) result.reply += part;
  result.is_closed_at_once = plain.wait_for_close() && steady_clock::now() - start < 5s;
  return result;
}

TEST(TlsWire, TellsAClientOfPlainHttpToUseHttps) {
  const TestServer server;
  const auto [reply, is_closed_at_once] =
      send_plaintext(server, "POST /validate HTTP/1.1\r\nHost: h\r\n\r\n");
  EXPECT_TRUE(reply.starts_with("HTTP/1.1 400 ")) << reply;
  EXPECT_TRUE(contains(reply, "HTTPS")) << reply;
  EXPECT_TRUE(is_closed_at_once);
  EXPECT_TRUE(serves_a_new_client(server));
  EXPECT_TRUE(
      server.reaches_metric("winadmit_tls_handshake_failures_total{reason=\"plain_http\"} 1"));
}

TEST(TlsWire, ClosesAConnectionThatSpeaksAnotherProtocol) {
  const TestServer server;
  const auto [reply, is_closed_at_once] = send_plaintext(server, "SSH-2.0-client\r\n");
  EXPECT_FALSE(contains(reply, "HTTP")) << reply;
  EXPECT_TRUE(is_closed_at_once);
  EXPECT_TRUE(serves_a_new_client(server));
  EXPECT_TRUE(server.reaches_metric("winadmit_tls_handshake_failures_total{reason=\"other\"} 1"));
}

TEST(TlsWire, CountsClientsThatRefuseTheCertificateByReason) {
  const TestServer server;
  const struct {
    int error;  // and the alert that OpenSSL sends for it
    const char* reason;
  } cases[] = {{X509_V_ERR_CERT_REJECTED, "untrusted"},              // bad_certificate, as Go sends
               {X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN, "untrusted"},  // unknown_ca
               {X509_V_ERR_CERT_HAS_EXPIRED, "expired"},             // certificate_expired
               {X509_V_ERR_APPLICATION_VERIFICATION, "other"}};      // handshake_failure
  std::map<std::string, int> counts;
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    for (const auto& [error, reason] : cases) {
      SCOPED_TRACE(X509_verify_cert_error_string(error));
      const TlsClient client(server.port(), {.version = version, .verify_error = error});
      EXPECT_FALSE(client.connected());
      EXPECT_TRUE(server.reaches_metric("winadmit_tls_handshake_failures_total{reason=\"" +
                                        std::string(reason) + "\"} " +
                                        std::to_string(++counts[reason])));
    }
  }
  EXPECT_TRUE(serves_a_new_client(server));
}

TEST(TlsWire, CountsATcpProbeAsAConnectionAndNotAsAFailedHandshake) {
  const TestServer server;
  TcpClient(server.port()).close();
  ASSERT_TRUE(server.reaches_metric("winadmit_connections_total 1"));
  EXPECT_TRUE(server.reaches_metric("winadmit_connections 0"));
  EXPECT_TRUE(server.reaches_metric("winadmit_tls_handshake_failures_total{reason=\"other\"} 0"));
}

}  // namespace
}  // namespace winadmit::test
