#include "certs/description.hpp"

#include <gtest/gtest.h>

#include "tests/certs/certificate_spec.hpp"

namespace winadmit::certs {
namespace {

using namespace std::chrono_literals;
using test::ca_spec;
using test::CertificateSpec;
using test::make_pair;

TEST(Description, TellsWhatACertificateSays) {
  const Pair ca = make_pair(ca_spec());
  const Pair pair = make_pair({.alt_names = "DNS:a.example,DNS:b,IP:10.0.0.1,IP:fd00::7"}, &ca);
  const Description leaf = describe(pair.leaf());
  EXPECT_EQ(leaf.subject, "CN=made");
  EXPECT_EQ(leaf.issuer, "CN=CA");
  EXPECT_EQ(leaf.dns_names, (std::vector<std::string>{"a.example", "b"}));
  EXPECT_EQ(leaf.ip_addresses, (std::vector<std::string>{"10.0.0.1", "fd00::7"}));
  EXPECT_EQ(leaf.not_after - leaf.not_before, 2h);
  EXPECT_EQ(leaf.sha256.size(), 64U);
  EXPECT_NE(leaf.sha256, describe(ca.leaf()).sha256);
  EXPECT_FALSE(leaf.is_ca);
  EXPECT_TRUE(describe(ca.leaf()).is_ca);
}

TEST(Description, CallsAnAddressInvalidThatIsNeitherIpv4NorIpv6) {
  // GeneralNames with one iPAddress of 3, 10 and 17 bytes.
  for (const char* names :
       {"DER:30:05:87:03:01:02:03", "DER:30:0c:87:0a:01:02:03:04:05:06:07:08:09:0a",
        "DER:30:13:87:11:01:02:03:04:05:06:07:08:09:0a:0b:0c:0d:0e:0f:10:11"}) {
    SCOPED_TRACE(names);
    EXPECT_EQ(describe(make_pair({.alt_names = names}).leaf()).ip_addresses,
              std::vector<std::string>{"invalid"});
  }
}

TEST(Description, NamesKeyTypesAsKubernetesDoes) {
  const auto key_type = [](const char* key) {
    return describe(make_pair({.key = key}).leaf()).key_type;
  };
  EXPECT_EQ(key_type("P-256"), "ECDSA P-256");
  EXPECT_EQ(key_type("RSA-2048"), "RSA 2048");
  EXPECT_EQ(key_type("ED25519"), "ED25519");
}

TEST(Description, WritesTimesAsKubernetesDoes) {
  const auto day = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);
  EXPECT_EQ(to_string(day + 12h + 3min + 4s), "2026-11-21T12:03:04Z");
}

}  // namespace
}  // namespace winadmit::certs
