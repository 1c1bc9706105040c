#include "certs/pair.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "certs/issue.hpp"
#include "certs/serving.hpp"

namespace winadmit::certs {
namespace {

using namespace std::chrono_literals;

const auto kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 12h;
const Names kNames{.dns = {"winadmit.example.svc"}, .ips = {}};

template <typename Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

class PairTest : public testing::Test {
 protected:
  Pair parse(const std::string& certificate, const std::string& key) {
    return parse_pair({.certificate = certificate, .key = key},
                      {.certificate = "tls.crt", .key = "tls.key"});
  }

  const Pem ca_ = issue_ca(10 * 24h, kNow);
  const Pem serving_ = issue_serving(parse_pair(ca_), kNames, 5 * 24h, kNow);
};

using PairErrors = PairTest;

TEST_F(PairTest, ParsesAChainAndDescribesItsLeaf) {
  const Pair pair = parse(serving_.certificate + ca_.certificate, serving_.key);
  ASSERT_EQ(pair.chain.size(), 2U);
  const Description leaf = describe(pair.leaf());
  const Description ca = describe(pair.chain[1].get());
  EXPECT_EQ(leaf.subject, "CN=winadmit.example.svc");
  EXPECT_EQ(leaf.issuer, ca.subject);
  EXPECT_EQ(leaf.dns_names, kNames.dns);
  EXPECT_EQ(leaf.not_after, kNow + 5 * 24h);
  EXPECT_LT(leaf.not_before, kNow);
  EXPECT_EQ(leaf.key_type, "ECDSA P-256");
  EXPECT_EQ(leaf.sha256.size(), 64U);
  EXPECT_NE(leaf.sha256, ca.sha256);
  EXPECT_FALSE(leaf.is_ca);
  EXPECT_TRUE(ca.is_ca);
  EXPECT_NO_THROW(check_serving(pair, kNow));
}

TEST_F(PairTest, WritesTimesAsKubernetesDoes) {
  EXPECT_EQ(to_string(kNow + 3min + 4s), "2026-11-21T12:03:04Z");
}

TEST_F(PairTest, IsServedByAContext) {
  const Pair pair = parse(serving_.certificate + ca_.certificate, serving_.key);
  const std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>> context(SSL_CTX_new(TLS_server_method()));
  use(context.get(), pair);
  EXPECT_EQ(X509_cmp(SSL_CTX_get0_certificate(context.get()), pair.leaf()), 0);
  EXPECT_EQ(SSL_CTX_check_private_key(context.get()), 1);
}

TEST_F(PairErrors, SayWhichFileHasNoCertificate) {
  EXPECT_EQ(error_of([&] { parse("", serving_.key); }), "tls.crt holds no PEM certificate");
  EXPECT_EQ(error_of([&] { parse("hello\n", serving_.key); }), "tls.crt holds no PEM certificate");
  EXPECT_EQ(error_of([&] { parse(serving_.key, serving_.key); }),
            "tls.crt holds no PEM certificate");
}

TEST_F(PairErrors, SayWhichFileHasNoKey) {
  EXPECT_EQ(error_of([&] { parse(serving_.certificate, ""); }).find("tls.key holds no readable"),
            0U);
  EXPECT_EQ(error_of([&] {
              parse(serving_.certificate,
                    "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMAo=\n-----END ENCRYPTED PRIVATE "
                    "KEY-----\n");
            }),
            "tls.key is encrypted: winadmit reads unencrypted private keys alone");
}

TEST_F(PairErrors, NoTextCutOffAnywhereIsAWholePair) {
  const std::string chain = serving_.certificate + ca_.certificate;
  const std::size_t leaf_end = serving_.certificate.size();
  for (std::size_t size = 0; size + 1 < chain.size(); ++size) {
    // Cut between its certificates, a chain is a shorter chain, and its last line feed is optional.
    if (size == leaf_end || size + 1 == leaf_end) continue;
    // A block's first line has to be there before anything can be missed.
    if (size > leaf_end && size < leaf_end + 22) continue;
    EXPECT_THROW(parse(chain.substr(0, size), serving_.key), Error) << size;
  }
  for (std::size_t size = 0; size + 1 < serving_.key.size(); ++size)
    EXPECT_THROW(parse(chain, serving_.key.substr(0, size)), Error) << size;
}

TEST_F(PairErrors, AKeyOfAnotherPair) {
  EXPECT_EQ(error_of([&] { parse(serving_.certificate, ca_.key); }),
            "tls.key is not the private key of the first certificate in tls.crt, "
            "\"CN=winadmit.example.svc\"");
}

TEST_F(PairErrors, AChainInTheWrongOrder) {
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

TEST_F(PairErrors, DatesAreCheckedAlongTheChain) {
  const Pair pair = parse(serving_.certificate, serving_.key);
  EXPECT_EQ(error_of([&] { check_serving(pair, kNow - 24h); }),
            "tls.crt: \"CN=winadmit.example.svc\" is not valid before 2026-11-21T11:55:00Z");
  EXPECT_EQ(error_of([&] { check_serving(pair, kNow + 5 * 24h + 1s); }),
            "tls.crt: \"CN=winadmit.example.svc\" expired at 2026-11-26T12:00:00Z");
}

TEST_F(PairErrors, ACertificateThatNamesNoServer) {
  const Pair pair = parse(ca_.certificate, ca_.key);
  EXPECT_NE(error_of([&] { check_serving(pair, kNow); }).find("has no subject alternative name"),
            std::string::npos);
}

TEST_F(PairErrors, AFileThatIsNotThere) {
  EXPECT_EQ(error_of([] { load_serving("/nowhere/tls.crt", "/nowhere/tls.key"); }),
            "cannot read /nowhere/tls.crt: No such file or directory");
  const std::string directory = testing::TempDir();
  EXPECT_NE(error_of([&] { read_file(directory); }).find("is a directory"), std::string::npos);
}

}  // namespace
}  // namespace winadmit::certs
