#include "certs/pair.hpp"

#include <gtest/gtest.h>

#include "certs/issue.hpp"
#include "tests/certs/certificate_spec.hpp"
#include "tests/error_of.hpp"

namespace winadmit::certs {
namespace {

using namespace std::chrono_literals;

const auto kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 12h;
const Names kNames{.dns = {"winadmit.example.svc"}, .ips = {}};

using test::error_of;

class PairTest : public testing::Test {
 protected:
  Pair parse(const std::string& certificate, const std::string& key) {
    return parse_pair({.certificate = certificate, .key = key},
                      {.certificate = "tls.crt", .key = "tls.key"});
  }

  const Pem ca_ = issue_ca(10 * 24h, kNow);
  const Pem serving_ = issue_serving(parse_pair(ca_), kNames, 5 * 24h, kNow);
};

TEST_F(PairTest, ParsesAChain) {
  const Pair pair = parse(serving_.certificate + ca_.certificate, serving_.key);
  ASSERT_EQ(pair.chain.size(), 2U);
  const Description leaf = describe(pair.leaf());
  const Description ca = describe(pair.chain[1].get());
  EXPECT_EQ(leaf.subject, "CN=winadmit.example.svc");
  EXPECT_TRUE(ca.is_ca);
  EXPECT_TRUE(is_issued_by(pair.leaf(), pair.chain[1].get()));
  EXPECT_FALSE(is_issued_by(pair.chain[1].get(), pair.leaf()));
}

TEST_F(PairTest, IsServedByAContext) {
  const Pair pair = parse(serving_.certificate + ca_.certificate, serving_.key);
  const std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>> context(SSL_CTX_new(TLS_server_method()));
  use_pair(context.get(), pair);
  EXPECT_EQ(X509_cmp(SSL_CTX_get0_certificate(context.get()), pair.leaf()), 0);
  EXPECT_EQ(SSL_CTX_check_private_key(context.get()), 1);
}

TEST_F(PairTest, SaysWhichFileHasNoCertificate) {
  EXPECT_EQ(error_of([&] { parse("", serving_.key); }), "tls.crt contains no PEM certificate");
  EXPECT_EQ(error_of([&] { parse("hello\n", serving_.key); }),
            "tls.crt contains no PEM certificate");
  EXPECT_EQ(error_of([&] { parse(serving_.key, serving_.key); }),
            "tls.crt contains no PEM certificate");
}

TEST_F(PairTest, SaysWhichFileHasNoKey) {
  EXPECT_EQ(error_of([&] { parse(serving_.certificate, ""); }).find("tls.key contains no readable"),
            0U);
  EXPECT_EQ(error_of([&] {
              parse(serving_.certificate,
                    "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAo=\n-----END ENCRYPTED PRIVATE "
                    "KEY-----\n");
            }),
            "tls.key is encrypted: winadmit reads unencrypted private keys only");
}

TEST_F(PairTest, RefusesATextThatIsCutOffAnywhere) {
  const std::string chain = serving_.certificate + ca_.certificate;
  const std::size_t leaf_end = serving_.certificate.size();
  for (std::size_t size = 0; size + 1 < chain.size(); ++size) {
    // Between the certificates, the rest is a valid chain. The last line feed is optional.
    if (size == leaf_end || size + 1 == leaf_end) continue;
    // Without the whole BEGIN line, the second certificate cannot be missed.
    if (size > leaf_end && size < leaf_end + 22) continue;
    EXPECT_THROW(parse(chain.substr(0, size), serving_.key), Error) << size;
  }
  for (std::size_t size = 0; size + 1 < serving_.key.size(); ++size)
    EXPECT_THROW(parse(chain, serving_.key.substr(0, size)), Error) << size;
}

TEST_F(PairTest, RefusesAMalformedDate) {
  const Pair odd = test::make_pair({.not_before = "yesterday"});
  EXPECT_EQ(error_of([&] { parse(serving_.certificate + to_pem(odd.leaf()), serving_.key); }),
            "tls.crt: certificate 2 has a malformed date");
}

TEST_F(PairTest, ReadsNoCertificateFromARequestForOne) {
  const std::string request =
      "-----BEGIN CERTIFICATE REQUEST-----\nMAo=\n-----END CERTIFICATE REQUEST-----\n";
  EXPECT_EQ(parse(serving_.certificate + request, serving_.key).chain.size(), 1U);
  EXPECT_EQ(parse(request + serving_.certificate, serving_.key).chain.size(), 1U);
  EXPECT_EQ(error_of([&] { parse(request, serving_.key); }), "tls.crt contains no PEM certificate");
}

TEST_F(PairTest, RefusesTheKeyOfAnotherPair) {
  EXPECT_EQ(error_of([&] { parse(serving_.certificate, ca_.key); }),
            "tls.key is not the private key of the first certificate in tls.crt, "
            "\"CN=winadmit.example.svc\"");
}

TEST_F(PairTest, RefusesAChainInTheWrongOrder) {
  const Pem other = issue_ca(10 * 24h, kNow);
  EXPECT_NE(error_of([&] {
              parse(serving_.certificate + other.certificate, serving_.key);
            }).find("did not issue the one before it, \"CN=winadmit.example.svc\""),
            std::string::npos);
  EXPECT_NE(error_of([&] {
              parse(ca_.certificate + serving_.certificate, serving_.key);
            }).find("not the private key of the first certificate"),
            std::string::npos);
}

}  // namespace
}  // namespace winadmit::certs
