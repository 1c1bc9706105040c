// TLS versions, cipher suites and groups, with a client that offers anything.
#include "server/transport/tls_context.hpp"

#include <gtest/gtest.h>

#include "tests/certs/certificate_spec.hpp"
#include "tests/server/transport/handshake.hpp"

namespace winadmit::server {
namespace {

using test::ContextPointer;
using test::Handshake;
using test::make_client;
using test::make_pair;

class TlsContextTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ecdsa_ = make_tls_context(make_pair({}), {}).release();
    rsa_ = make_tls_context(make_pair({.key = "RSA-2048"}), {}).release();
  }
  static void TearDownTestSuite() {
    SSL_CTX_free(ecdsa_);
    SSL_CTX_free(rsa_);
  }

  /// The suite of a session with a client that offers only this one, or "" without a session.
  static std::string suite_served(SSL_CTX* server, int version, const char* suite) {
    const ContextPointer client = make_client();
    SSL_CTX_set_min_proto_version(client.get(), version);
    SSL_CTX_set_max_proto_version(client.get(), version);
    const int known =
        version == TLS1_3_VERSION
            ? SSL_CTX_set_ciphersuites(client.get(), suite)
            : SSL_CTX_set_cipher_list(client.get(), (std::string(suite) + ":@SECLEVEL=0").c_str());
    if (known != 1) ADD_FAILURE() << "OpenSSL does not know " << suite;
    const Handshake handshake(client.get(), server);
    return handshake.succeeded() ? handshake.cipher() : "";
  }

  /// Whether a client that offers only this group is served.
  static bool serves_group(SSL_CTX* server, int version, const char* group) {
    const ContextPointer client = make_client();
    SSL_CTX_set_min_proto_version(client.get(), version);
    SSL_CTX_set_max_proto_version(client.get(), version);
    std::string name = group;
    if (SSL_CTX_ctrl(client.get(), SSL_CTRL_SET_GROUPS_LIST, 0, name.data()) != 1)
      ADD_FAILURE() << "OpenSSL does not know " << group;
    return Handshake(client.get(), server).succeeded();
  }

  static bool serves_version(SSL_CTX* server, int version) {
    const ContextPointer client = make_client();
    SSL_CTX_set_min_proto_version(client.get(), version);
    SSL_CTX_set_max_proto_version(client.get(), version);
    return Handshake(client.get(), server).succeeded();
  }

  inline static SSL_CTX* ecdsa_ = nullptr;
  inline static SSL_CTX* rsa_ = nullptr;
};

TEST_F(TlsContextTest, SupportsTls12And13Only) {
  for (SSL_CTX* server : {ecdsa_, rsa_}) {
    EXPECT_TRUE(serves_version(server, TLS1_2_VERSION));
    EXPECT_TRUE(serves_version(server, TLS1_3_VERSION));
    EXPECT_FALSE(serves_version(server, TLS1_1_VERSION));
    EXPECT_FALSE(serves_version(server, TLS1_VERSION));
  }
}

TEST_F(TlsContextTest, ServesTheSuitesOfTls13) {
  for (const std::string suite :
       {"TLS_AES_128_GCM_SHA256", "TLS_AES_256_GCM_SHA384", "TLS_CHACHA20_POLY1305_SHA256"}) {
    EXPECT_EQ(suite_served(ecdsa_, TLS1_3_VERSION, suite.c_str()), suite);
    EXPECT_EQ(suite_served(rsa_, TLS1_3_VERSION, suite.c_str()), suite);
  }
  for (const char* suite : {"TLS_AES_128_CCM_SHA256", "TLS_AES_128_CCM_8_SHA256"})
    EXPECT_EQ(suite_served(ecdsa_, TLS1_3_VERSION, suite), "");
}

TEST_F(TlsContextTest, ServesForwardSecretAuthenticatedSuitesOfTls12) {
  for (const std::string kind : {"AES128-GCM-SHA256", "AES256-GCM-SHA384", "CHACHA20-POLY1305"}) {
    const std::string ecdsa = "ECDHE-ECDSA-" + kind;
    const std::string rsa = "ECDHE-RSA-" + kind;
    EXPECT_EQ(suite_served(ecdsa_, TLS1_2_VERSION, ecdsa.c_str()), ecdsa);
    EXPECT_EQ(suite_served(rsa_, TLS1_2_VERSION, rsa.c_str()), rsa);
  }
}

TEST_F(TlsContextTest, RefusesAllOtherSuitesOfTls12) {
  for (const char* suite : {"ECDHE-ECDSA-AES128-SHA256", "ECDHE-ECDSA-AES256-SHA384",
                            "ECDHE-ECDSA-AES128-SHA", "ECDHE-ECDSA-AES256-SHA",
                            "ECDHE-ECDSA-AES128-CCM", "ECDHE-ECDSA-NULL-SHA", "AECDH-AES128-SHA"}) {
    EXPECT_EQ(suite_served(ecdsa_, TLS1_2_VERSION, suite), "");
  }
  for (const char* suite :
       {"ECDHE-RSA-AES128-SHA256", "ECDHE-RSA-AES256-SHA384", "ECDHE-RSA-AES128-SHA",
        "ECDHE-RSA-AES256-SHA", "AES128-GCM-SHA256", "AES256-GCM-SHA384", "AES128-SHA256",
        "AES128-SHA", "AES256-SHA", "DHE-RSA-AES128-GCM-SHA256", "DHE-RSA-CHACHA20-POLY1305",
        "DHE-RSA-AES256-SHA", "AECDH-AES128-SHA", "ADH-AES128-GCM-SHA256", "NULL-SHA256"}) {
    EXPECT_EQ(suite_served(rsa_, TLS1_2_VERSION, suite), "");
  }
}

TEST_F(TlsContextTest, ServesThreeGroups) {
  for (const char* group : {"X25519", "P-256", "P-384"}) {
    SCOPED_TRACE(group);
    EXPECT_TRUE(serves_group(ecdsa_, TLS1_3_VERSION, group));
    // In TLS 1.2 the certificate's own curve has to be among the client's groups.
    EXPECT_TRUE(serves_group(rsa_, TLS1_2_VERSION, group));
  }
}

TEST_F(TlsContextTest, RefusesOtherGroups) {
  for (const char* group :
       {"P-521", "X448", "ffdhe2048", "ffdhe3072", "ffdhe4096", "ffdhe6144", "ffdhe8192"}) {
    SCOPED_TRACE(group);
    EXPECT_FALSE(serves_group(ecdsa_, TLS1_3_VERSION, group));
    EXPECT_FALSE(serves_group(rsa_, TLS1_3_VERSION, group));
  }
  EXPECT_FALSE(serves_group(rsa_, TLS1_2_VERSION, "P-521"));
  EXPECT_FALSE(serves_group(rsa_, TLS1_2_VERSION, "X448"));
}

TEST_F(TlsContextTest, GivesNoTicketAndResumesNothing) {
  for (const int version : {TLS1_2_VERSION, TLS1_3_VERSION}) {
    SCOPED_TRACE(version);
    const ContextPointer client = make_client();
    SSL_CTX_set_min_proto_version(client.get(), version);
    SSL_CTX_set_max_proto_version(client.get(), version);
    SSL_CTX_set_session_cache_mode(client.get(), SSL_SESS_CACHE_CLIENT);
    const Handshake first(client.get(), ecdsa_);
    ASSERT_TRUE(first.succeeded());
    const std::unique_ptr<SSL_SESSION, certs::FreeWith<SSL_SESSION_free>> session(
        SSL_get1_session(first.client()));
    EXPECT_EQ(SSL_SESSION_has_ticket(session.get()), 0);
    EXPECT_EQ(SSL_SESSION_is_resumable(session.get()), 0);
    const Handshake second(client.get(), ecdsa_, session.get());
    EXPECT_TRUE(second.succeeded());
    EXPECT_FALSE(second.was_resumed());
  }
  EXPECT_EQ(SSL_CTX_get_session_cache_mode(ecdsa_), SSL_SESS_CACHE_OFF);
}

TEST_F(TlsContextTest, AcceptsNoEarlyDataAndNoCompression) {
  EXPECT_EQ(SSL_CTX_get_max_early_data(ecdsa_), 0U);
  const ContextPointer client = make_client();
  SSL_CTX_clear_options(client.get(), SSL_OP_NO_COMPRESSION);
  SSL_CTX_set_max_proto_version(client.get(), TLS1_2_VERSION);
  const Handshake handshake(client.get(), ecdsa_);
  ASSERT_TRUE(handshake.succeeded());
  EXPECT_EQ(SSL_get_current_compression(handshake.client()), nullptr);
}

TEST_F(TlsContextTest, RejectsRenegotiation) {
  const ContextPointer client = make_client();
  SSL_CTX_set_max_proto_version(client.get(), TLS1_2_VERSION);
  const Handshake handshake(client.get(), ecdsa_);
  ASSERT_TRUE(handshake.succeeded());
  SSL_renegotiate(handshake.client());
  SSL_do_handshake(handshake.client());
  char byte = 0;
  SSL_read(handshake.server(), &byte, 1);
  EXPECT_EQ(SSL_num_renegotiations(handshake.server()), 0);
  SSL_do_handshake(handshake.client());
  EXPECT_EQ(ERR_GET_REASON(ERR_peek_error()), SSL_R_NO_RENEGOTIATION);
  ERR_clear_error();
}

}  // namespace
}  // namespace winadmit::server
