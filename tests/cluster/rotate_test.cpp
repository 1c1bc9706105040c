#include "cluster/rotate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "certs/serving.hpp"
#include "tests/cluster/rotate_fixture.hpp"
#include "tests/test_data.hpp"

namespace winadmit::cluster {
namespace {

using namespace std::chrono_literals;
using std::chrono::seconds;
using test::Crash;
using test::kServiceNames;
using test::Rotate;
using test::trusts;

TEST_F(Rotate, FillsSecretAndCaBundlesAtInstallation) {
  EXPECT_EQ(run(), "");
  expect_consistent();
  const auto pair =
      certs::parse_pair({.certificate = cluster_.secret.tls_crt, .key = cluster_.secret.tls_key});
  EXPECT_NO_THROW(certs::check_serving(pair, cluster_.now));
  EXPECT_EQ(certs::describe(pair.leaf()).dns_names, kServiceNames.dns);
  ASSERT_EQ(reported_.size(), 4U);
  EXPECT_EQ(reported_[0], "issued a CA and a serving pair");
  EXPECT_EQ(reported_[1], "set the caBundle of MutatingWebhookConfiguration winadmit");
  EXPECT_EQ(reported_[2], "set the caBundle of ValidatingWebhookConfiguration winadmit");
}

TEST_F(Rotate, ChangesNothingIfNothingIsDue) {
  install();
  const std::string before = cluster_.secret.version;
  cluster_.pass(60s);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.secret.version, before);
  ASSERT_EQ(reported_.size(), 1U);
  EXPECT_EQ(reported_[0],
            "the serving pair expires at 2027-02-19T00:00:00Z, the CA at 2031-11-20T00:00:00Z");
}

TEST_F(Rotate, RenewsAPairInItsLastThirdWithTheSameCa) {
  install();
  const Secret before = cluster_.secret;
  cluster_.now += 59 * 24h;
  run();
  EXPECT_EQ(cluster_.secret.tls_crt, before.tls_crt);
  cluster_.now += 25h;
  EXPECT_EQ(run(), "");
  EXPECT_NE(cluster_.secret.tls_crt, before.tls_crt);
  EXPECT_EQ(cluster_.secret.ca_crt, before.ca_crt);
  cluster_.pass(120s);
  expect_consistent();
}

TEST_F(Rotate, RenewsACaWithoutAFailedRequest) {
  install();
  const Secret before = cluster_.secret;
  EXPECT_EQ(run(/*force_ca=*/true), "");
  cluster_.pass(120s);
  EXPECT_NE(cluster_.secret.ca_crt, before.ca_crt);
  EXPECT_FALSE(trusts(cluster_.secret.ca_crt, before.tls_crt));
  expect_consistent();
}

TEST_F(Rotate, RenewsACaInItsLastThirdWithItsPair) {
  install();
  const Secret before = cluster_.secret;
  cluster_.now += 1300 * 24h;
  EXPECT_EQ(run(), "");
  EXPECT_NE(cluster_.secret.ca_crt, before.ca_crt);
  cluster_.pass(120s);
  EXPECT_EQ(cluster_.trusted(), 1U);
  EXPECT_EQ(cluster_.failed_requests, 0);
}

TEST_F(Rotate, ContinuesAfterACrashAtAnyCall) {
  install();
  cluster_.replicas[1].delay = 15s;
  cluster_.calls = 0;
  ASSERT_EQ(run(/*force_ca=*/true), "");
  cluster_.pass(20s);
  const int calls = cluster_.calls;
  ASSERT_GT(calls, 20);
  for (int crash = 0; crash < calls; crash += static_cast<int>(test::input_step())) {
    SCOPED_TRACE(crash);
    crash_and_run_again(crash, /*force_ca=*/true);
  }
}

TEST_F(Rotate, TrustsTheOldCaUntilTheLastReplicaServesTheNewPair) {
  install();
  cluster_.replicas[1].delay = 1000h;  // stuck
  const std::string unfinished = run(/*force_ca=*/true);
  EXPECT_EQ(unfinished, "the old CA is still trusted: 10.0.0.2 still serves another pair");
  EXPECT_EQ(cluster_.trusted(), 2U);
  cluster_.pass(1h);
  EXPECT_EQ(cluster_.failed_requests, 0);

  cluster_.replicas[1].delay = 10s;
  EXPECT_EQ(run(), "");
  expect_consistent();
}

TEST_F(Rotate, SetsTheCaBundleOfAWebhookThatIsAddedJustAfterItLooked) {
  install();
  bool is_added = false;
  meanwhile_ = [&](seconds) {
    if (std::exchange(is_added, true)) return;
    cluster_.webhooks[1].ca_bundles.emplace_back();
    cluster_.webhooks[1].version = "100";
  };
  EXPECT_EQ(run(), "");
  EXPECT_TRUE(is_added);
  for (const std::string& bundle : cluster_.current_bundles())
    EXPECT_EQ(bundle, cluster_.secret.ca_crt);
}

TEST_F(Rotate, CountsTheTimeOfCallsAsWaiting) {
  install();
  cluster_.replicas[1].delay = 1000h;
  cluster_.replicas_take = 149s;  // two calls and a pause fill the wait
  seconds slept = 0s;
  meanwhile_ = [&](seconds time) { slept += time; };
  EXPECT_EQ(run(/*force_ca=*/true),
            "the old CA is still trusted: 10.0.0.2 still serves another pair");
  EXPECT_LT(slept, 30s);
}

TEST_F(Rotate, EndsACallThatOutlastsTheWait) {
  install();
  cluster_.replicas[1].delay = 1000h;
  cluster_.replicas_take = 1000s;
  const auto start = cluster_.now;
  EXPECT_EQ(run(/*force_ca=*/true), "the old CA is still trusted: timeout");
  EXPECT_LE(cluster_.now - start, 310s) << "settle and wait";
  EXPECT_EQ(cluster_.trusted(), 2U);

  cluster_.replicas[1].delay = 0s;
  cluster_.replicas_take = 0s;
  EXPECT_EQ(run(), "");
}

TEST_F(Rotate, WaitsForReadyReplicasOnly) {
  install();
  cluster_.replicas[1].is_up = false;
  EXPECT_EQ(run(/*force_ca=*/true), "the old CA is still trusted: 10.0.0.2 does not answer");
  cluster_.replicas[1].is_ready = false;
  EXPECT_EQ(run(), "");
  expect_consistent();
}

TEST_F(Rotate, WaitsForAReplicaThatMayStartWithTheOldPair) {
  install();
  cluster_.replicas[1].is_up = cluster_.replicas[1].is_ready = false;
  const auto start = cluster_.now;
  EXPECT_EQ(run(/*force_ca=*/true), "");
  EXPECT_GE(cluster_.now - start, 120s) << "the kubelet may have mounted the old files";
  expect_consistent();
}

TEST_F(Rotate, TrustsTheOldCaIfThereIsNoReplica) {
  install();
  cluster_.replicas.clear();
  EXPECT_EQ(run(/*force_ca=*/true), "the old CA is still trusted: no replica is ready");
}

TEST_F(Rotate, SetsACaBundleAgainThatWasReset) {
  install();
  cluster_.webhooks[1].ca_bundles[0].clear();
  EXPECT_EQ(run(), "");
  for (const std::string& bundle : cluster_.current_bundles())
    EXPECT_EQ(bundle, cluster_.secret.ca_crt);
}

TEST_F(Rotate, WaitsAgainAfterACaBundleWasReset) {
  install();
  const std::string old = cluster_.secret.ca_crt;
  meanwhile_ = [&](seconds time) {
    if (time != 10s) return;
    meanwhile_ = nullptr;
    WebhookConfiguration reset = cluster_.webhooks[0];
    reset.ca_bundles = {old, old};
    cluster_.write(reset);
  };
  EXPECT_EQ(run(/*force_ca=*/true), "");
  cluster_.pass(120s);
  expect_consistent();
}

TEST_F(Rotate, RenewsAPairThatLacksNames) {
  install();
  names_.ips = {"10.96.0.7"};
  EXPECT_EQ(run(), "");
  const auto leaf = certs::parse_certificates(cluster_.secret.tls_crt, "");
  EXPECT_EQ(certs::describe(leaf.front().get()).ip_addresses, names_.ips);
}

TEST_F(Rotate, ComparesIpAddressesByTheirOctets) {
  install();
  names_.ips = {"2001:DB8:0::1"};
  EXPECT_EQ(run(), "");
  const std::string renewed = cluster_.secret.tls_crt;
  const auto leaf = certs::parse_certificates(renewed, "");
  EXPECT_EQ(certs::describe(leaf.front().get()).ip_addresses,
            std::vector<std::string>{"2001:db8::1"});
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.secret.tls_crt, renewed);
}

TEST_F(Rotate, RefusesInvalidNamesBeforeAnyCall) {
  names_.ips = {"10.0.0.1 x"};
  EXPECT_THROW(run(), Error);
  EXPECT_EQ(cluster_.calls, 0);
}

TEST_F(Rotate, GivesUpIfObjectsDoNotStayAsTheyAreWritten) {
  cluster_.ignores_ca_bundles = true;
  EXPECT_THROW(run(), Error);
  EXPECT_LT(cluster_.calls, 1000);
}

TEST_F(Rotate, RenewsAForcedPairOnce) {
  install();
  const std::string before = cluster_.secret.tls_crt;
  EXPECT_EQ(run(false, /*force_pair=*/true), "");
  EXPECT_NE(cluster_.secret.tls_crt, before);
  EXPECT_EQ(reported_.size(), 2U);
}

TEST_F(Rotate, RetriesConflictsAndGivesUpAfterTooMany) {
  install();
  cluster_.conflicts = 3;
  EXPECT_EQ(run(/*force_ca=*/true), "");
  expect_consistent();
  cluster_.conflicts = 1000;
  EXPECT_THROW(run(/*force_ca=*/true), Error);
}

TEST_F(Rotate, TrustsTheCasOfBothSourcesWhileTheSourceChanges) {
  install();
  const std::string own = cluster_.secret.ca_crt;
  cluster_.other_cas = certs::issue_ca(1h, cluster_.now).certificate;
  EXPECT_EQ(run(), "");
  for (const std::string& bundle : cluster_.current_bundles())
    EXPECT_EQ(bundle, own + cluster_.other_cas);
  EXPECT_EQ(cluster_.secret.ca_crt, own);

  cluster_.other_cas.clear();
  EXPECT_EQ(run(), "");
  expect_consistent();
}

TEST_F(Rotate, RetiresNoCaWhileReplicasMayServeThePairOfTheOtherSource) {
  const std::string other = certs::issue_ca(1h, cluster_.now).certificate;
  for (WebhookConfiguration& each : cluster_.webhooks) each.ca_bundles = {other, other};
  cluster_.other_cas = other;
  EXPECT_EQ(run(), "") << "it does not wait for replicas that serve its own pair";
  EXPECT_EQ(cluster_.trusted(), 2U);
  EXPECT_EQ(std::ranges::count_if(
                reported_, [](const std::string& each) { return each.starts_with("the old CAs"); }),
            1);
  cluster_.other_cas.clear();
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.trusted(), 1U);
}

TEST_F(Rotate, RenewsAForcedCaAlsoBesideOldOnesOfTwoSources) {
  const std::string other = certs::issue_ca(1h, cluster_.now).certificate;
  for (WebhookConfiguration& each : cluster_.webhooks) each.ca_bundles = {other, other};
  cluster_.other_cas = other;
  ASSERT_EQ(run(), "");
  const std::string key = cluster_.secret.ca_key;
  EXPECT_EQ(run(/*force_ca=*/true), "");
  EXPECT_NE(cluster_.secret.ca_key, key);
  EXPECT_EQ(cluster_.trusted(), 3U);
}

TEST_F(Rotate, IsUnfinishedWhileAConfigurationIsMissing) {
  cluster_.webhooks[1] = {.kind = "ValidatingWebhookConfiguration",
                          .name = "winadmit",
                          .ca_bundles = {},
                          .version = ""};
  EXPECT_EQ(run(), "ValidatingWebhookConfiguration winadmit does not exist yet");
  EXPECT_EQ(cluster_.trusted(), 1U) << "replicas can start with the Secret";
}

}  // namespace
}  // namespace winadmit::cluster
