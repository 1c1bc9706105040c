// What a rotation makes of a Secret that is lost, damaged, or written by others.
#include <gtest/gtest.h>
#include <openssl/pem.h>

#include <memory>

#include "certs/serving.hpp"
#include "tests/certs/certificate_spec.hpp"
#include "tests/cluster/rotate_fixture.hpp"

namespace winadmit::cluster {
namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;
using test::Crash;
using test::kServiceNames;
using test::trusts;

/// Whose pairs an API server refuses.
certs::Pair make_ca_for_clients() {
  test::CertificateSpec spec = test::ca_spec();
  spec.extended_key_usage = "clientAuth";
  spec.subject_key_id = "hash";
  return test::make_pair(spec);
}

std::string key_of(const certs::Pair& pair) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> text(BIO_new(BIO_s_mem()), BIO_free);
  PEM_write_bio_PrivateKey(text.get(), pair.key.get(), nullptr, nullptr, 0, nullptr, nullptr);
  char* data = nullptr;
  const long size = BIO_get_mem_data(text.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}

using RotateSecret = test::Rotate;

TEST_F(RotateSecret, ReplacesALostSecretAndTrustsTheOldCaMeanwhile) {
  install();
  const std::string old = cluster_.secret.tls_crt;
  for (const char* version : {"", "9"}) {  // deleted, or applied again, empty
    cluster_.secret = {};
    cluster_.secret.version = version;
    EXPECT_EQ(run(), "");
    EXPECT_EQ(reported_.front(), "issued a CA; the CAs of the caBundles are still trusted");
    reported_.clear();
    cluster_.pass(120s);
    EXPECT_NE(cluster_.secret.tls_crt, old);
    expect_consistent();
  }
}

TEST_F(RotateSecret, ReplacesALostSecretAfterACrashAtAnyCall) {
  install();
  cluster_.replicas[1].delay = 15s;
  for (int crash = 0; crash < 20; ++crash) {
    SCOPED_TRACE(crash);
    cluster_.secret = {};
    cluster_.secret.version = "9";
    crash_and_run_again(crash);
  }
}

TEST_F(RotateSecret, DropsAPlaceholderInTheCaBundle) {
  for (WebhookConfiguration& each : cluster_.webhooks) each.ca_bundles = {"\n", "junk"};
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.trusted(), 1U);
}

TEST_F(RotateSecret, FillsAnEmptySecret) {
  cluster_.secret.version = "7";
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.secret.version, "8");
  expect_consistent();
}

TEST_F(RotateSecret, ReplacesADamagedServingPair) {
  install();
  cluster_.secret.tls_key = "junk";
  meanwhile_ = [this](seconds) {
    EXPECT_NE(cluster_.secret.tls_key, "junk") << "the API servers know the CA already";
  };
  EXPECT_EQ(run(), "");
  expect_consistent();
}

TEST_F(RotateSecret, ReplacesThePairOfAnotherCaOnceTheApiServersTrustTheCa) {
  install();
  const certs::Pem ca = certs::issue_ca(365 * 24h, cluster_.now);
  cluster_.secret.ca_crt = ca.certificate;
  cluster_.secret.ca_key = ca.key;
  const std::string old = cluster_.secret.tls_crt;
  seconds slept = 0s;
  meanwhile_ = [&](seconds time) {
    if (slept == 0s) {
      EXPECT_EQ(cluster_.secret.tls_crt, old);
    }
    slept += time;
    for (const std::string& bundle : cluster_.current_bundles()) EXPECT_EQ(bundle, ca.certificate);
  };
  EXPECT_EQ(run(), "");
  EXPECT_EQ(slept, 20s) << "before the pair, and before it looks again";
  EXPECT_TRUE(trusts(ca.certificate, cluster_.secret.tls_crt));
}

TEST_F(RotateSecret, LeavesASecretWithoutItsKeyAlone) {
  install();
  cluster_.secret.ca_key.clear();
  EXPECT_THROW(run(), Error);
  cluster_.secret.ca_key = cluster_.secret.tls_key;
  EXPECT_THROW(run(), Error);
}

TEST_F(RotateSecret, LeavesTheCaBundlesAloneIfACaCannotBeRead) {
  install();
  const std::vector<std::string> before = cluster_.current_bundles();
  const Secret good = cluster_.secret;
  cluster_.secret.ca_crt.resize(100);
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(cluster_.current_bundles(), before);
  cluster_.secret = good;
  cluster_.other_cas = "junk";
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(cluster_.current_bundles(), before);
}

TEST_F(RotateSecret, PublishesCertificatesAlone) {
  install();
  const std::vector<std::string> before = cluster_.current_bundles();
  cluster_.secret.ca_crt =
      "\xEF\xBB\xBF# of the team\n" + cluster_.secret.ca_key + cluster_.secret.ca_crt;
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.current_bundles(), before);
}

TEST_F(RotateSecret, ReplacesWhatIsNotYetValid) {
  cluster_.now += 365 * 24h;
  ASSERT_EQ(run(), "");
  cluster_.pass(120s);
  cluster_.now -= 365 * 24h;
  EXPECT_EQ(run(), "");
  const auto pair =
      certs::parse_pair({.certificate = cluster_.secret.tls_crt, .key = cluster_.secret.tls_key});
  EXPECT_NO_THROW(certs::check_serving(pair, cluster_.now));
  for (const auto& ca : certs::parse_certificates(cluster_.secret.ca_crt, ""))
    EXPECT_EQ(certs::date_fault(certs::describe(ca.get()), cluster_.now), "");
}

TEST_F(RotateSecret, ReplacesAPairThatIsNotYetValid) {
  install();
  const Secret before = cluster_.secret;
  cluster_.secret = renew_serving_pair(before, kServiceNames, {}, cluster_.now + 24h);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.secret.ca_crt, before.ca_crt);
  const auto leaf = certs::parse_certificates(cluster_.secret.tls_crt, "");
  EXPECT_EQ(certs::date_fault(certs::describe(leaf.front().get()), cluster_.now), "");
}

TEST_F(RotateSecret, FailsIfAnApiServerWouldRefuseThePair) {
  install();
  const certs::Pair ca = make_ca_for_clients();
  cluster_.now = certs::current_time();
  const Secret before = cluster_.secret;
  const std::vector<std::string> bundles = cluster_.current_bundles();
  cluster_.secret.ca_crt += certs::to_pem(ca.leaf());
  cluster_.secret.ca_key = key_of(ca);
  try {
    ADD_FAILURE() << run();
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()),
              "the Secret: \"CN=CA\" is not for servers, by its extended key usage");
  }
  EXPECT_EQ(cluster_.secret.tls_crt, before.tls_crt) << "which the API servers trust";
  EXPECT_EQ(cluster_.current_bundles(), bundles);
}

TEST_F(RotateSecret, ReplacesACaByForceThatAnApiServerWouldRefuse) {
  install();
  const certs::Pair ca = make_ca_for_clients();
  cluster_.now = certs::current_time();
  cluster_.secret.ca_crt = certs::to_pem(ca.leaf());
  cluster_.secret.ca_key = key_of(ca);
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(run(/*force_ca=*/true), "");
  const auto pair =
      certs::parse_pair({.certificate = cluster_.secret.tls_crt, .key = cluster_.secret.tls_key});
  EXPECT_NO_THROW(certs::check_serving(pair, cluster_.now));
}

}  // namespace
}  // namespace winadmit::cluster
