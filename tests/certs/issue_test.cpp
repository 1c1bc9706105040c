#include "certs/issue.hpp"

#include <gtest/gtest.h>
#include <openssl/x509_vfy.h>

#include <algorithm>

#include "certs/serving.hpp"
#include "tests/certs/certificate_spec.hpp"

namespace winadmit::certs {
namespace {

using namespace std::chrono_literals;

/// The result of OpenSSL's strictest verification of the pair, for a server with that name.
std::string verify(const Pair& pair, const std::string& ca, const std::string& host) {
  const std::unique_ptr<X509_STORE, FreeWith<X509_STORE_free>> store(X509_STORE_new());
  for (const Certificate& trusted : parse_certificates(ca, "ca.crt"))
    X509_STORE_add_cert(store.get(), trusted.get());
  const std::unique_ptr<X509_STORE_CTX, FreeWith<X509_STORE_CTX_free>> context(
      X509_STORE_CTX_new());
  X509_STORE_CTX_init(context.get(), store.get(), pair.leaf(), nullptr);
  X509_VERIFY_PARAM* param = X509_STORE_CTX_get0_param(context.get());
  X509_VERIFY_PARAM_set_flags(param, X509_V_FLAG_X509_STRICT);
  X509_VERIFY_PARAM_set_purpose(param, X509_PURPOSE_SSL_SERVER);
  if (X509_VERIFY_PARAM_set1_ip_asc(param, host.c_str()) != 1)
    X509_VERIFY_PARAM_set1_host(param, host.c_str(), host.size());
  X509_verify_cert(context.get());
  return X509_verify_cert_error_string(X509_STORE_CTX_get_error(context.get()));
}

TEST(Issue, AServingPairIsValidForEachOfItsNamesAndNoOther) {
  const Pem ca = issue_ca(24h);
  Names names = service_names("winadmit-system", "winadmit");
  names.ips = {"10.0.0.7", "fd00::7"};
  const Pair pair = parse_pair(issue_serving(parse_pair(ca), names, 1h));
  for (const char* host : {"winadmit.winadmit-system.svc",
                           "winadmit.winadmit-system.svc.cluster.local", "10.0.0.7", "fd00::7"})
    EXPECT_EQ(verify(pair, ca.certificate, host), "ok") << host;
  EXPECT_EQ(verify(pair, ca.certificate, "other.winadmit-system.svc"), "hostname mismatch");
  EXPECT_EQ(verify(pair, ca.certificate, "10.0.0.8"), "IP address mismatch");
}

TEST(Issue, IsTrustedThroughABundleOfTwoCAs) {
  const Pem old_ca = issue_ca(24h);
  const Pem new_ca = issue_ca(24h);
  const Names names = service_names("a", "b");
  const Pair pair = parse_pair(issue_serving(parse_pair(new_ca), names, 1h));
  EXPECT_EQ(verify(pair, old_ca.certificate + new_ca.certificate, "b.a.svc"), "ok");
  EXPECT_NE(verify(pair, old_ca.certificate, "b.a.svc"), "ok");
}

TEST(Issue, ASelfSignedPairIsItsOwnTrustAnchor) {
  const Pem pem = issue_self_signed();
  const Pair pair = parse_pair(pem);
  EXPECT_NO_THROW(check_serving(pair, current_time()));
  for (const char* host : {"localhost", "127.0.0.1", "::1"})
    EXPECT_EQ(verify(pair, pem.certificate, host), "ok") << host;
}

TEST(Issue, SerialsAreOf128BitsAndDiffer) {
  const Description one = describe(parse_pair(issue_ca(1h)).leaf());
  const Description two = describe(parse_pair(issue_ca(1h)).leaf());
  EXPECT_EQ(one.serial.size(), 32U);
  EXPECT_NE(one.serial, two.serial);
  EXPECT_NE(one.subject, two.subject);
  EXPECT_EQ(one.subject, "CN=winadmit CA " + one.serial.substr(0, 8));
}

TEST(Issue, AServingPairDoesNotOutliveItsCA) {
  const Pair ca = parse_pair(issue_ca(1h));
  const Pair pair = parse_pair(issue_serving(ca, service_names("a", "b"), 24h));
  EXPECT_EQ(describe(pair.leaf()).not_after, describe(ca.leaf()).not_after);
  EXPECT_THROW(issue_serving(ca, service_names("a", "b"), 24h, current_time() + 2h), Error);
}

TEST(Issue, SignsWithEachTypeOfKeyThatIsServed) {
  for (const char* key : {"ED25519", "RSA-2048", "P-256", "P-384", "P-521"}) {
    SCOPED_TRACE(key);
    test::CertificateSpec spec = test::ca_spec();
    spec.key = key;
    spec.subject_key_id = "hash";
    const Pair ca = test::make_pair(spec);
    const Pair pair = parse_pair(issue_serving(ca, service_names("a", "b"), 1h));
    EXPECT_EQ(verify(pair, to_pem(ca.leaf()), "b.a.svc"), "ok");
    EXPECT_NO_THROW(check_serving(pair, current_time()));
  }
}

TEST(Issue, TakesACaWithoutAKeyIdentifier) {
  const Pair ca = test::make_pair(test::ca_spec());
  const Pair pair = parse_pair(issue_serving(ca, service_names("a", "b"), 1h));
  EXPECT_TRUE(is_issued_by(pair.leaf(), ca.leaf()));
  EXPECT_NO_THROW(check_serving(pair, current_time()));
}

TEST(Issue, RefusesACaWithAKeyThatGoDoesNotKnow) {
  for (const char* key : {"ED448", "secp256k1"}) {
    test::CertificateSpec spec = test::ca_spec();
    spec.key = key;
    EXPECT_THROW(issue_serving(test::make_pair(spec), service_names("a", "b"), 1h), Error) << key;
  }
}

TEST(Issue, OnlyACaMayIssue) {
  const Pair pair = parse_pair(issue_self_signed());
  EXPECT_THROW(issue_serving(pair, service_names("a", "b"), 1h), Error);
}

TEST(Issue, RefusesInvalidNames) {
  const Pair ca = parse_pair(issue_ca(1h));
  const auto issue = [&](const Names& names) { return issue_serving(ca, names, 1h); };
  EXPECT_THROW(issue({}), Error);
  for (const char* dns :
       {"", ".", "a..b", "-a", "a-", "a b", "a,IP:10.0.0.1", "*", "a.*.b", "a.", "10.0.0.1"})
    EXPECT_THROW(issue({.dns = {dns}, .ips = {}}), Error) << dns;
  EXPECT_THROW(issue({.dns = {std::string(64, 'a')}, .ips = {}}), Error);
  for (const char* ip : {"", "10.0.0", "10.0.0.256", "localhost", "10.0.0.1 x", "fe80::1%eth0"})
    EXPECT_THROW(issue({.dns = {}, .ips = {ip}}), Error) << ip;
  EXPECT_NO_THROW(issue({.dns = {"*.example.com", "a-b.c_d.e"}, .ips = {}}));
}

TEST(Issue, CanonicalNamesHaveAddressesAsDescriptionsDo) {
  const Names names = canonical_names({.dns = {"a.b"}, .ips = {"FD00:0::7", "10.0.0.7"}});
  EXPECT_EQ(names.dns, std::vector<std::string>{"a.b"});
  EXPECT_EQ(names.ips, (std::vector<std::string>{"fd00::7", "10.0.0.7"}));
  const Pair pair = parse_pair(issue_serving(parse_pair(issue_ca(1h)), names, 1h));
  EXPECT_EQ(describe(pair.leaf()).ip_addresses, names.ips);
}

TEST(Issue, ALongNameIsAnAlternativeNameAlone) {
  const Pair ca = parse_pair(issue_ca(1h));
  const std::string service(63, 's');
  const std::string name_space(63, 'n');
  const Pair pair = parse_pair(issue_serving(ca, service_names(name_space, service), 1h));
  const Description leaf = describe(pair.leaf());
  EXPECT_EQ(leaf.subject, "CN=winadmit");
  EXPECT_EQ(leaf.dns_names.front(), service + "." + name_space + ".svc");
}

}  // namespace
}  // namespace winadmit::certs
