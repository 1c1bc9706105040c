#include "cluster/secret.hpp"

#include <gtest/gtest.h>

namespace winadmit::cluster {
namespace {

using namespace std::chrono_literals;

const std::chrono::sys_seconds kNow = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);
const certs::Names kNames = certs::service_names("winadmit-system", "winadmit");

Secret filled(const std::vector<std::string>& ca_bundles = {}) {
  return renew_serving_pair(add_ca(trust({}, ca_bundles), {}, kNow), kNames, {}, kNow);
}

bool is_signed_by_signing_ca(const ParsedSecret& parsed) {
  return certs::is_issued_by(parsed.serving->leaf(), parsed.signing.leaf());
}

TEST(Secret, IsEmptyUntilItIsFilled) {
  EXPECT_TRUE(is_empty({}));
  EXPECT_TRUE(is_empty({.ca_crt = "", .ca_key = "", .tls_crt = "", .tls_key = "", .version = "7"}));
  EXPECT_FALSE(is_empty(filled()));
}

TEST(Secret, HoldsACaAndAPairOnceFilled) {
  const ParsedSecret parsed = parse_secret(filled());
  EXPECT_EQ(parsed.trusted.size(), 1U);
  ASSERT_TRUE(parsed.serving);
  EXPECT_TRUE(is_signed_by_signing_ca(parsed));
  EXPECT_EQ(certs::describe(parsed.serving->leaf()).dns_names, kNames.dns);
}

TEST(Secret, KeepsEachCaOfTheBundlesOnceAndDropsPlaceholders) {
  const std::string ca = certs::issue_ca(1h, kNow).certificate;
  EXPECT_EQ(parse_secret(filled({ca, ca, "\n", "junk"})).trusted.size(), 2U);
  const std::string damaged = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
  EXPECT_EQ(parse_secret(filled({ca + damaged, damaged + ca})).trusted.size(), 2U);
}

TEST(Secret, SignsWithTheCaThatWasAddedLast) {
  const Secret two_cas = add_ca(filled(), {}, kNow);
  EXPECT_EQ(parse_secret(two_cas).trusted.size(), 2U);
  EXPECT_FALSE(is_signed_by_signing_ca(parse_secret(two_cas))) << "the old pair stays";
  const Secret renewed = renew_serving_pair(two_cas, kNames, {}, kNow);
  EXPECT_TRUE(is_signed_by_signing_ca(parse_secret(renewed)));
  const Secret one_ca = remove_old_cas(renewed);
  EXPECT_EQ(parse_secret(one_ca).trusted.size(), 1U);
  EXPECT_TRUE(is_signed_by_signing_ca(parse_secret(one_ca)));
}

TEST(Secret, MayHaveADamagedPairButNotADamagedCa) {
  Secret secret = filled();
  secret.tls_key = "junk";
  EXPECT_FALSE(parse_secret(secret).serving);
  secret.ca_key = "junk";
  EXPECT_THROW(parse_secret(secret), Error);
  secret.ca_key = filled().ca_key;
  EXPECT_THROW(parse_secret(secret), Error) << "the key of another CA";
}

}  // namespace
}  // namespace winadmit::cluster
