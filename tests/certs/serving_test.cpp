#include "certs/serving.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "certs/issue.hpp"
#include "tests/certs/made.hpp"

namespace winadmit::certs {
namespace {

namespace fs = std::filesystem;
using test::make_pair;
using test::Wanted;
using test::wanted_ca;

std::string refusal(const Pair& pair) {
  try {
    check_serving(pair, current_time());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::string refusal(const Wanted& wanted) { return refusal(make_pair(wanted)); }

/// Of a serving pair whose issuer is made so.
std::string refusal_below(const Wanted& issuer) {
  const Pair ca = make_pair(wanted_ca());
  const Pair intermediate = make_pair(issuer, &ca);
  return refusal(make_pair({}, &intermediate));
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Serving, TakesTheKeysThatApiServersTake) {
  for (const char* key : {"P-256", "P-384", "P-521", "ED25519", "RSA-2048"})
    EXPECT_EQ(refusal(Wanted{.key = key}), "") << key;
}

TEST(Serving, RefusesOtherKeys) {
  for (const char* key : {"P-224", "secp256k1", "RSA-1024"})
    EXPECT_NE(refusal(Wanted{.key = key}), "") << key;
  EXPECT_TRUE(
      has(refusal(Wanted{.key = "RSA-1024"}), "tls.crt: \"CN=made\" has an RSA key of 1024 bits"));
}

TEST(Serving, RefusesWeakSignaturesAlongTheChain) {
  Wanted root = wanted_ca();
  root.key = "RSA-2048";  // there is no ECDSA with MD5
  const Pair ca = make_pair(root);
  for (const char* digest : {"MD5", "SHA1"}) {
    SCOPED_TRACE(digest);
    EXPECT_TRUE(has(refusal(make_pair({.digest = digest}, &ca)), "\"CN=made\" is signed by"));
    Wanted wanted = wanted_ca(digest);
    wanted.common_name = "intermediate";
    const Pair intermediate = make_pair(wanted, &ca);
    EXPECT_TRUE(has(refusal(make_pair({}, &intermediate)), "\"CN=intermediate\" is signed by"));
  }
}

TEST(Serving, ASignatureOfItsOwnDoesNotCount) {
  const Pair ca = make_pair(wanted_ca("SHA1"));
  EXPECT_EQ(refusal(make_pair({}, &ca)), "");
  EXPECT_EQ(refusal(Wanted{.digest = "SHA1"}), "");
}

TEST(Serving, RefusesAnIssuerThatMayNotIssue) {
  Wanted issuer = wanted_ca();
  issuer.common_name = "intermediate";
  EXPECT_EQ(refusal_below(issuer), "");
  issuer.constraints = "CA:FALSE";
  EXPECT_TRUE(has(refusal_below(issuer), "\"CN=intermediate\" is no CA certificate"));
  issuer = wanted_ca();
  issuer.extended_key_usage = "clientAuth";
  EXPECT_TRUE(has(refusal_below(issuer), "extended key usage"));
}

TEST(Serving, RefusesAChainLongerThanItsCaAllows) {
  Wanted root = wanted_ca();
  root.constraints = "critical,CA:TRUE,pathlen:0";
  const Pair ca = make_pair(root);
  EXPECT_EQ(refusal(make_pair({}, &ca)), "");
  Wanted middle = wanted_ca();
  middle.common_name = "intermediate";
  const Pair intermediate = make_pair(middle, &ca);
  EXPECT_TRUE(has(refusal(make_pair({}, &intermediate)), "\"CN=CA\" allows 0 CAs below it"));
}

TEST(Serving, GoesByTheExtendedKeyUsage) {
  EXPECT_TRUE(has(refusal(Wanted{.extended_key_usage = "clientAuth"}), "extended key usage"));
  for (const char* usage : {"", "serverAuth,clientAuth", "anyExtendedKeyUsage"})
    EXPECT_EQ(refusal(Wanted{.extended_key_usage = usage}), "") << usage;
}

TEST(Serving, WhatPassesIsServedByOpenssl) {
  for (const char* key : {"P-256", "P-384", "P-521", "ED25519", "RSA-2048"}) {
    const std::unique_ptr<SSL_CTX, Freed<SSL_CTX_free>> context(SSL_CTX_new(TLS_server_method()));
    SSL_CTX_set_security_level(context.get(), 2);
    EXPECT_NO_THROW(use(context.get(), make_pair({.key = key}))) << key;
  }
}

class ServingWarnings : public testing::Test {
 protected:
  ServingWarnings() {
    std::string name = (fs::temp_directory_path() / "winadmit-serving-XXXXXX").string();
    root_ = mkdtemp(name.data());
    std::ofstream(key_file()) << "key";
    fs::permissions(key_file(), fs::perms(0440));
  }
  ~ServingWarnings() override { fs::remove_all(root_); }

  fs::path key_file() const { return root_ / "tls.key"; }

  std::string warnings(const Wanted& wanted = {}) const {
    std::string all;
    for (const std::string& warning : warnings_about(make_pair(wanted), key_file()))
      all += warning + "\n";
    return all;
  }

  fs::path root_;
};

TEST_F(ServingWarnings, NoneForAnOrdinaryPair) {
  EXPECT_EQ(warnings(), "");
  EXPECT_EQ(warnings({.key_usage = ""}), "");
}

TEST_F(ServingWarnings, AKeyThatEverybodyCanRead) {
  fs::permissions(key_file(), fs::perms(0644));
  EXPECT_EQ(warnings(),
            "tls.key can be read by every user: mode 0400 is enough, or 0440 with an fsGroup\n");
  fs::permissions(key_file(), fs::perms(0600));
  EXPECT_EQ(warnings(), "");
}

TEST_F(ServingWarnings, ACaAsTheServingCertificate) {
  const Wanted ca{.constraints = "critical,CA:TRUE",
                  .key_usage = "critical,keyCertSign",
                  .extended_key_usage = ""};
  EXPECT_EQ(refusal(ca), "") << "the API server takes it";
  EXPECT_TRUE(has(warnings(ca), "\"CN=made\" is a CA certificate"));
  EXPECT_TRUE(has(warnings(ca), "\"CN=made\" has no digitalSignature in its key usage"));
}

}  // namespace
}  // namespace winadmit::certs
