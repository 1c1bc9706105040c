#include "certs/serving.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "certs/issue.hpp"
#include "tests/certs/certificate_spec.hpp"
#include "tests/temporary_folder.hpp"
#include "tests/text.hpp"

namespace winadmit::certs {
namespace {

namespace fs = std::filesystem;
using test::ca_spec;
using test::CertificateSpec;
using test::contains;
using test::make_pair;

std::string error_of(const Pair& pair, std::chrono::sys_seconds now = current_time()) {
  try {
    check_serving(pair, now);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string error_of(const CertificateSpec& spec) { return error_of(make_pair(spec)); }

/// The error of a serving pair with such an issuer.
std::string error_below(const CertificateSpec& issuer) {
  const Pair ca = make_pair(ca_spec());
  const Pair intermediate = make_pair(issuer, &ca);
  return error_of(make_pair({}, &intermediate));
}

TEST(Serving, AcceptsTheKeysThatApiServersAccept) {
  for (const char* key : {"P-256", "P-384", "P-521", "ED25519", "RSA-2048"})
    EXPECT_EQ(error_of(CertificateSpec{.key = key}), "") << key;
}

TEST(Serving, RefusesACaWithAKeyThatGoDoesNotKnow) {
  for (const char* key : {"P-224", "P-521", "ED25519"}) {
    CertificateSpec spec = ca_spec();
    spec.key = key;
    EXPECT_EQ(error_below(spec), "") << key;
  }
  for (const char* key : {"secp256k1", "ED448"}) {
    CertificateSpec spec = ca_spec();
    spec.key = key;
    const std::string error = error_below(spec);
    EXPECT_TRUE(contains(error, "has a key of type ")) << error;
    EXPECT_TRUE(contains(error, ", which the API server refuses")) << error;
  }
}

TEST(Serving, ChecksTheDates) {
  using namespace std::chrono_literals;
  const auto now = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 12h;
  const Pair pair = parse_pair(issue_self_signed(1h, now), {.certificate = "tls.crt"});
  EXPECT_EQ(error_of(pair, now), "");
  EXPECT_EQ(error_of(pair, now - 24h),
            "tls.crt: \"CN=localhost\" is not valid before 2026-11-21T11:55:00Z");
  EXPECT_EQ(error_of(pair, now + 1h + 1s),
            "tls.crt: \"CN=localhost\" expired at 2026-11-21T13:00:00Z");
}

TEST(Serving, RefusesACertificateWithoutAlternativeNames) {
  EXPECT_TRUE(
      contains(error_of(CertificateSpec{.alt_names = ""}), "has no subject alternative name"));
}

TEST(Serving, RefusesOtherKeys) {
  for (const char* key : {"P-224", "secp256k1", "RSA-1024"})
    EXPECT_NE(error_of(CertificateSpec{.key = key}), "") << key;
  EXPECT_TRUE(contains(error_of(CertificateSpec{.key = "RSA-1024"}),
                       "tls.crt: \"CN=made\" has an RSA key of 1024 bits"));
}

TEST(Serving, RefusesWeakSignaturesAlongTheChain) {
  CertificateSpec root = ca_spec();
  root.key = "RSA-2048";  // there is no ECDSA with MD5
  const Pair ca = make_pair(root);
  for (const char* digest : {"MD5", "SHA1"}) {
    SCOPED_TRACE(digest);
    EXPECT_TRUE(contains(error_of(make_pair({.digest = digest}, &ca)), "\"CN=made\" is signed by"));
    CertificateSpec spec = ca_spec(digest);
    spec.common_name = "intermediate";
    const Pair intermediate = make_pair(spec, &ca);
    EXPECT_TRUE(
        contains(error_of(make_pair({}, &intermediate)), "\"CN=intermediate\" is signed by"));
  }
}

TEST(Serving, IgnoresTheSignatureOfASelfSignedCertificate) {
  const Pair ca = make_pair(ca_spec("SHA1"));
  EXPECT_EQ(error_of(make_pair({}, &ca)), "");
  EXPECT_EQ(error_of(CertificateSpec{.digest = "SHA1"}), "");
}

TEST(Serving, RefusesAnIssuerThatIsNotACa) {
  CertificateSpec issuer = ca_spec();
  issuer.common_name = "intermediate";
  EXPECT_EQ(error_below(issuer), "");
  issuer.constraints = "CA:FALSE";
  EXPECT_TRUE(contains(error_below(issuer), "\"CN=intermediate\" is not a CA certificate"));
  issuer = ca_spec();
  issuer.extended_key_usage = "clientAuth";
  EXPECT_TRUE(contains(error_below(issuer), "extended key usage"));
}

TEST(Serving, RefusesAChainLongerThanItsCaAllows) {
  CertificateSpec root = ca_spec();
  root.constraints = "critical,CA:TRUE,pathlen:0";
  const Pair ca = make_pair(root);
  EXPECT_EQ(error_of(make_pair({}, &ca)), "");
  CertificateSpec middle = ca_spec();
  middle.common_name = "intermediate";
  const Pair intermediate = make_pair(middle, &ca);
  EXPECT_TRUE(contains(error_of(make_pair({}, &intermediate)), "\"CN=CA\" allows 0 CAs below it"));
}

TEST(Serving, ChecksTheExtendedKeyUsage) {
  EXPECT_TRUE(contains(error_of(CertificateSpec{.extended_key_usage = "clientAuth"}),
                       "extended key usage"));
  for (const char* usage : {"", "serverAuth,clientAuth", "anyExtendedKeyUsage"})
    EXPECT_EQ(error_of(CertificateSpec{.extended_key_usage = usage}), "") << usage;
}

TEST(Serving, AcceptsOnlyKeysThatOpensslServes) {
  for (const char* key : {"P-256", "P-384", "P-521", "ED25519", "RSA-2048"}) {
    const std::unique_ptr<SSL_CTX, FreeWith<SSL_CTX_free>> context(
        SSL_CTX_new(TLS_server_method()));
    SSL_CTX_set_security_level(context.get(), 2);
    EXPECT_NO_THROW(use_pair(context.get(), make_pair({.key = key}))) << key;
  }
}

class ServingWarnings : public testing::Test {
 protected:
  ServingWarnings() {
    std::ofstream(key_file()) << "key";
    fs::permissions(key_file(), fs::perms(0440));
  }

  fs::path key_file() const { return folder_ / "tls.key"; }

  std::string warnings(const CertificateSpec& spec = {}) const {
    std::string all;
    for (const std::string& warning : warnings_about(make_pair(spec), key_file()))
      all += warning + "\n";
    return all;
  }

  const test::TemporaryFolder folder_;
};

TEST_F(ServingWarnings, AreNotGivenForAnOrdinaryPair) {
  EXPECT_EQ(warnings(), "");
  EXPECT_EQ(warnings({.key_usage = ""}), "");
}

TEST_F(ServingWarnings, AKeyThatEveryUserCanRead) {
  fs::permissions(key_file(), fs::perms(0644));
  EXPECT_EQ(warnings(),
            "tls.key can be read by every user: use mode 0400, or 0440 with an fsGroup\n");
  fs::permissions(key_file(), fs::perms(0600));
  EXPECT_EQ(warnings(), "");
}

TEST_F(ServingWarnings, AreGivenForACaAsTheServingCertificate) {
  const CertificateSpec ca{.constraints = "critical,CA:TRUE",
                           .key_usage = "critical,keyCertSign",
                           .extended_key_usage = ""};
  EXPECT_EQ(error_of(ca), "") << "the API server accepts it";
  EXPECT_TRUE(contains(warnings(ca), "\"CN=made\" is a CA certificate"));
  EXPECT_TRUE(contains(warnings(ca), "\"CN=made\" has no digitalSignature in its key usage"));
}

}  // namespace
}  // namespace winadmit::certs
