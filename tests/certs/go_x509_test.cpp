#include "certs/go_x509.hpp"

#include <gtest/gtest.h>

#include "tests/certs/certificate_spec.hpp"

namespace winadmit::certs {
namespace {

using test::CertificateSpec;

std::string fault_of(const CertificateSpec& spec) {
  const Pair pair = test::make_pair(spec);
  return go_x509_fault(pair.leaf());
}

std::string fault_of(const char* type, const char* value) {
  return fault_of(CertificateSpec{.more_extensions = {{type, value}}});
}

std::string fault_of_name(const char* alt_names) {
  return fault_of(CertificateSpec{.alt_names = alt_names});
}

TEST(GoX509, ParsesUsualCertificates) {
  EXPECT_EQ(fault_of(CertificateSpec{}), "");
  EXPECT_EQ(fault_of(test::ca_spec()), "");
  EXPECT_EQ(fault_of(CertificateSpec{.common_name = "m\u00FCnchen", .key = "RSA-2048"}), "");
  EXPECT_EQ(
      fault_of_name("DNS:a.svc,DNS:*.b.svc,IP:10.0.0.1,IP:2001:db8::1,email:a@b.example,"
                    "URI:spiffe://cluster.local/ns/a/sa/b,URI:urn:uuid:1,otherName:1.2.3;UTF8:x"),
      "");
  EXPECT_EQ(fault_of("authorityInfoAccess", "OCSP;URI:http://ocsp.example"), "");
  EXPECT_EQ(fault_of("crlDistributionPoints", "URI:http://crl.example/a.crl"), "");
  EXPECT_EQ(fault_of("certificatePolicies", "critical,DER:30:07:30:05:06:03:2A:03:04"), "");
  EXPECT_EQ(fault_of("nameConstraints", "critical,permitted;DNS:.example"), "");
  EXPECT_EQ(fault_of("1.2.3.4", "DER:05:00"), "");
}

TEST(GoX509, RefusesANegativeSerialNumber) {
  EXPECT_EQ(fault_of(CertificateSpec{.has_negative_serial = true}), "has a negative serial number");
}

TEST(GoX509, RefusesACurveWithoutAName) {
  EXPECT_EQ(fault_of(CertificateSpec{.has_explicit_curve = true}),
            "has a key whose curve is given by its parameters, not by its name");
}

TEST(GoX509, RefusesMalformedAlternativeNames) {
  EXPECT_EQ(
      fault_of_name("DER:30:05:87:03:01:02:03"),
      "has an IP address that has neither 4 nor 16 bytes among its subject alternative names");
  EXPECT_EQ(fault_of_name("DER:30:03:82:01:FC"),
            "has a DNS name that is not ASCII among its subject alternative names");
  EXPECT_EQ(fault_of_name("DER:30:03:81:01:FC"),
            "has a mail address that is not ASCII among its subject alternative names");
  for (const char* uri : {"URI:http://a..b/", "URI:http://a./", "URI:http://a b/",
                          "DER:30:03:86:01:FC", "DER:30:03:86:01:0A"}) {
    EXPECT_EQ(fault_of_name(uri), "has a malformed URI among its subject alternative names") << uri;
  }
}

TEST(GoX509, RefusesMalformedExtensions) {
  for (const char* type : {"authorityInfoAccess", "authorityKeyIdentifier", "certificatePolicies",
                           "crlDistributionPoints", "inhibitAnyPolicy", "nameConstraints",
                           "policyConstraints", "policyMappings"}) {
    const std::string fault = fault_of(type, "DER:05:00");
    EXPECT_TRUE(fault.starts_with("has a malformed extension: ")) << type << ": " << fault;
  }
  EXPECT_EQ(fault_of(CertificateSpec{.extended_key_usage = "DER:05:00"}),
            "has a malformed extension: X509v3 Extended Key Usage");
}

TEST(GoX509, RefusesCriticalExtensionsThatItDoesNotKnow) {
  EXPECT_EQ(fault_of("1.2.3.4", "critical,DER:05:00"),
            "has an unknown critical extension: 1.2.3.4");
  EXPECT_EQ(fault_of("tlsfeature", "critical,status_request"),
            "has an unknown critical extension: TLS Feature");
}

TEST(GoX509, RefusesExtensionsThatMustNotBeCritical) {
  EXPECT_EQ(fault_of(CertificateSpec{.subject_key_id = "critical,hash"}),
            "has a critical extension that must not be critical: X509v3 Subject Key Identifier");
  EXPECT_EQ(fault_of("authorityInfoAccess", "critical,OCSP;URI:http://ocsp.example"),
            "has a critical extension that must not be critical: Authority Information Access");
}

TEST(GoX509, RefusesAnExtensionThatComesTwice) {
  EXPECT_EQ(fault_of("keyUsage", "critical,digitalSignature"),
            "has an extension twice: X509v3 Key Usage");
}

TEST(GoX509, RefusesMalformedNames) {
  const auto fault_of_common_name = [](int type, const char* value) {
    const Certificate certificate(X509_new());
    X509_NAME_add_entry_by_NID(X509_get_subject_name(certificate.get()), NID_commonName, type,
                               reinterpret_cast<const unsigned char*>(value), -1, -1, 0);
    return go_x509_fault(certificate.get());
  };
  EXPECT_EQ(fault_of_common_name(V_ASN1_PRINTABLESTRING, "*.a & (b)"), "");
  EXPECT_EQ(fault_of_common_name(V_ASN1_PRINTABLESTRING, "a_b"), "has a malformed subject");
  EXPECT_EQ(fault_of_common_name(V_ASN1_T61STRING, "\xFC"), "");
  EXPECT_EQ(fault_of_common_name(V_ASN1_IA5STRING, "\xFC"), "has a malformed subject");
  EXPECT_EQ(fault_of_common_name(V_ASN1_UTF8STRING, "\xFC"), "has a malformed subject");
  EXPECT_EQ(fault_of_common_name(V_ASN1_NUMERICSTRING, "1 2"), "");
  EXPECT_EQ(fault_of_common_name(V_ASN1_NUMERICSTRING, "a"), "has a malformed subject");
  EXPECT_EQ(fault_of_common_name(V_ASN1_UNIVERSALSTRING, "abcd"), "has a malformed subject");
}

}  // namespace
}  // namespace winadmit::certs
