#include "cluster/rotate.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <stdexcept>
#include <unordered_map>

#include "certs/serving.hpp"

namespace winadmit::cluster {
namespace {

using namespace std::chrono_literals;
using certs::Names;
using std::chrono::seconds;
using std::chrono::sys_seconds;

const sys_seconds kStart = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);
const Names kNames = certs::service_names("winadmit-system", "winadmit");

struct Crash : std::exception {};

bool verify(const std::string& bundle, const std::string& certificate) {
  const auto leaf = certs::parse_certificates(certificate, "served");
  try {
    for (const certs::Certificate& ca : certs::parse_certificates(bundle, "bundle"))
      if (certs::is_issued_by(leaf.front().get(), ca.get())) return true;
  } catch (const certs::Error&) {
    return false;
  }
  return false;
}

/// The clusters below ask the same for each second that passes.
bool trusts(const std::string& bundle, const std::string& certificate) {
  static std::unordered_map<std::string, bool> known;
  const auto [found, is_new] = known.try_emplace(bundle + '|' + certificate, false);
  if (is_new) found->second = verify(bundle, certificate);
  return found->second;
}

/// A cluster that is late: an API server acts on a caBundle, and a replica serves what the Secret
/// holds, only a while after it was written. Whenever anything changes, each API server has to
/// trust each replica; `failed_requests` counts the times when one did not.
class LateCluster : public Cluster {
 public:
  LateCluster() {
    for (const char* kind : {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"})
      webhooks.push_back(
          {.kind = kind, .name = "winadmit", .ca_bundles = {"", ""}, .version = "1"});
    replicas = {{.late = 0s}, {.late = 90s}};
  }

  Secret read_secret() override {
    call();
    return secret;
  }
  std::vector<WebhookConfiguration> read_webhooks() override {
    call();
    return webhooks;
  }
  std::vector<Replica> read_replicas() override {
    call();
    std::vector<Replica> read;
    for (std::size_t i = 0; i < replicas.size(); ++i) {
      const Serving& serving = replicas[i];
      const bool answers = !serving.certificate.empty() && serving.is_up;
      read.push_back({.address = "10.0.0." + std::to_string(i + 1),
                      .ready = serving.is_ready,
                      .sha256 = answers ? sha256(serving.certificate) : ""});
    }
    return read;
  }
  bool write(const Secret& next) override {
    call();
    if (conflicts > 0 && conflicts-- > 0) return false;
    EXPECT_EQ(next.version, secret.version) << "written over something that was not read";
    secret = next;
    bump(secret.version);
    secrets_.emplace(now, secret.tls_crt);
    check();
    return true;
  }
  bool write(const WebhookConfiguration& next) override {
    call();
    for (WebhookConfiguration& each : webhooks) {
      if (each.kind != next.kind) continue;
      EXPECT_EQ(next.version, each.version) << "written over something that was not read";
      each = next;
      bump(each.version);
    }
    bundles_.emplace(now, current_bundles());
    check();
    return true;
  }

  /// Time passes, and what is late arrives.
  void pass(seconds time) {
    for (; time > 0s; time -= 1s) {
      now += 1s;
      check();
    }
  }

  /// From now on a change to a caBundle is one that could fail a request.
  void start_counting() {
    bundles_.emplace(now - 1h, current_bundles());
    counting_ = true;
  }

  static std::string sha256(const std::string& certificate) {
    return certs::describe(certs::parse_certificates(certificate, "served").front().get()).sha256;
  }
  std::size_t trusted() const { return certs::parse_certificates(secret.ca_crt, "").size(); }
  std::vector<std::string> current_bundles() const {
    std::vector<std::string> all;
    for (const WebhookConfiguration& each : webhooks)
      all.insert(all.end(), each.ca_bundles.begin(), each.ca_bundles.end());
    return all;
  }

  struct Serving {
    seconds late;
    std::string certificate = {};
    bool is_up = true;
    bool is_ready = true;
  };

  sys_seconds now = kStart;
  Secret secret;
  std::vector<WebhookConfiguration> webhooks;
  std::vector<Serving> replicas;
  int conflicts = 0;     // so many writes of the Secret fail
  int crash_after = -1;  // so many calls succeed
  int failed_requests = 0;
  int calls = 0;

 private:
  void call() {
    ++calls;
    if (crash_after >= 0 && crash_after-- == 0) throw Crash();
  }

  static void bump(std::string& version) {
    version = std::to_string(version.empty() ? 1 : std::stoi(version) + 1);
  }

  void check() {
    for (Serving& each : replicas) {
      const auto seen = secrets_.upper_bound(now - each.late);
      if (seen != secrets_.begin()) each.certificate = std::prev(seen)->second;
    }
    if (!counting_) return;
    // One API server is quick, another takes 5 seconds.
    for (const seconds late : {0s, 5s}) {
      const auto seen = bundles_.upper_bound(now - late);
      if (seen == bundles_.begin()) continue;
      for (const std::string& bundle : std::prev(seen)->second)
        for (const Serving& replica : replicas)
          if (!replica.certificate.empty() && !trusts(bundle, replica.certificate))
            ++failed_requests;
    }
  }

  std::multimap<sys_seconds, std::string> secrets_;
  std::multimap<sys_seconds, std::vector<std::string>> bundles_;
  bool counting_ = false;
};

class Rotate : public testing::Test {
 protected:
  std::string run(bool force_ca = false, bool force_pair = false) {
    return rotate(cluster_, {.names = names_,
                             .lifetimes = {},
                             .force_ca = force_ca,
                             .force_pair = force_pair,
                             .settle = 10s,
                             .wait = 300s,
                             .now = [this] { return cluster_.now; },
                             .sleep =
                                 [this](seconds time) {
                                   if (meanwhile_) meanwhile_(time);
                                   cluster_.pass(time);
                                 },
                             .say = [this](const std::string& line) { said_.push_back(line); }});
  }

  /// Installed, with every replica serving.
  void install() {
    ASSERT_EQ(run(), "");
    cluster_.pass(120s);
    cluster_.start_counting();
    said_.clear();
  }

  void expect_in_step() {
    EXPECT_EQ(cluster_.trusted(), 1U);
    for (const std::string& bundle : cluster_.current_bundles())
      EXPECT_EQ(bundle, cluster_.secret.ca_crt);
    EXPECT_TRUE(trusts(cluster_.secret.ca_crt, cluster_.secret.tls_crt));
    EXPECT_EQ(cluster_.failed_requests, 0);
  }

  LateCluster cluster_;
  Names names_ = kNames;
  std::vector<std::string> said_;
  std::function<void(seconds)> meanwhile_;  // what others do while a run sleeps
};

TEST_F(Rotate, InstallsFromNothing) {
  EXPECT_EQ(run(), "");
  expect_in_step();
  const auto pair =
      certs::parse_pair({.certificate = cluster_.secret.tls_crt, .key = cluster_.secret.tls_key});
  EXPECT_NO_THROW(certs::check_serving(pair, cluster_.now));
  EXPECT_EQ(certs::describe(pair.leaf()).dns_names, kNames.dns);
  ASSERT_EQ(said_.size(), 4U);
  EXPECT_EQ(said_[0], "issued a CA and a serving pair");
  EXPECT_EQ(said_[1], "set the caBundle of MutatingWebhookConfiguration winadmit");
  EXPECT_EQ(said_[2], "set the caBundle of ValidatingWebhookConfiguration winadmit");
}

TEST_F(Rotate, ChangesNothingWhileNothingIsDue) {
  install();
  const std::string before = cluster_.secret.version;
  cluster_.pass(60s);
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.secret.version, before);
  ASSERT_EQ(said_.size(), 1U);
  EXPECT_EQ(said_[0], "the serving pair ends 2027-02-19T00:00:00Z, the CA 2031-11-20T00:00:00Z");
}

TEST_F(Rotate, APairInItsLastThirdIsRenewedByTheSameCA) {
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
  expect_in_step();
}

TEST_F(Rotate, ACaTurnsWithoutAFailedRequest) {
  install();
  const Secret before = cluster_.secret;
  EXPECT_EQ(run(/*force_ca=*/true), "");
  cluster_.pass(120s);
  EXPECT_NE(cluster_.secret.ca_crt, before.ca_crt);
  EXPECT_FALSE(trusts(cluster_.secret.ca_crt, before.tls_crt));
  expect_in_step();
}

TEST_F(Rotate, ACaInItsLastThirdIsTurnedWithItsPair) {
  install();
  const Secret before = cluster_.secret;
  cluster_.now += 1300 * 24h;
  EXPECT_EQ(run(), "");
  EXPECT_NE(cluster_.secret.ca_crt, before.ca_crt);
  cluster_.pass(120s);
  EXPECT_EQ(cluster_.trusted(), 1U);
  EXPECT_EQ(cluster_.failed_requests, 0);
}

TEST_F(Rotate, MayDieAnywhereInATurnAndGoOnLater) {
  install();
  cluster_.replicas[1].late = 15s;
  cluster_.calls = 0;
  ASSERT_EQ(run(/*force_ca=*/true), "");
  cluster_.pass(20s);
  const int calls = cluster_.calls;
  ASSERT_GT(calls, 20);
  for (int crash = 0; crash < calls; ++crash) {
    SCOPED_TRACE(crash);
    cluster_.crash_after = crash;
    EXPECT_THROW(run(/*force_ca=*/true), Crash);
    cluster_.crash_after = -1;
    cluster_.pass(1s);
    EXPECT_EQ(run(), "");
    cluster_.pass(20s);
    expect_in_step();
  }
}

TEST_F(Rotate, KeepsTheOldCaTrustedUntilTheLastReplicaServesTheNewPair) {
  install();
  cluster_.replicas[1].late = 1000h;  // stuck
  const std::string unfinished = run(/*force_ca=*/true);
  EXPECT_EQ(unfinished,
            "the old CA is still trusted beside the new: 10.0.0.2 still serves another pair");
  EXPECT_EQ(cluster_.trusted(), 2U);
  cluster_.pass(1h);
  EXPECT_EQ(cluster_.failed_requests, 0);

  cluster_.replicas[1].late = 10s;
  EXPECT_EQ(run(), "");
  expect_in_step();
}

TEST_F(Rotate, AReadyReplicaThatDoesNotAnswerIsWaitedForAndAnUnreadyOneIsNot) {
  install();
  cluster_.replicas[1].is_up = false;
  EXPECT_EQ(run(/*force_ca=*/true),
            "the old CA is still trusted beside the new: 10.0.0.2 does not answer");
  cluster_.replicas[1].is_ready = false;
  EXPECT_EQ(run(), "");
  expect_in_step();
}

TEST_F(Rotate, WithoutAnyReplicaNothingProvesThatTheOldCaIsDone) {
  install();
  cluster_.replicas.clear();
  EXPECT_EQ(run(/*force_ca=*/true),
            "the old CA is still trusted beside the new: no replica is ready");
}

TEST_F(Rotate, ALostSecretIsMadeAnewWhileTheOldCaStaysTrusted) {
  install();
  const std::string old = cluster_.secret.tls_crt;
  cluster_.replicas[0].late = 20s;  // the kubelet looks at a Secret every minute or so
  cluster_.secret = {};
  EXPECT_EQ(run(), "");
  cluster_.pass(120s);
  EXPECT_NE(cluster_.secret.tls_crt, old);
  expect_in_step();
}

TEST_F(Rotate, APlaceholderInTheCaBundleIsNotKept) {
  for (WebhookConfiguration& each : cluster_.webhooks) each.ca_bundles = {"\n", "junk"};
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.trusted(), 1U);
}

TEST_F(Rotate, ASecretThatManifestsCreatedEmptyIsFilled) {
  cluster_.secret.version = "7";
  EXPECT_EQ(run(), "");
  EXPECT_EQ(cluster_.secret.version, "8");
  expect_in_step();
}

TEST_F(Rotate, ACaBundleThatSomebodyResetIsSetAgain) {
  install();
  cluster_.webhooks[1].ca_bundles[0].clear();
  EXPECT_EQ(run(), "");
  for (const std::string& bundle : cluster_.current_bundles())
    EXPECT_EQ(bundle, cluster_.secret.ca_crt);
}

TEST_F(Rotate, ACaBundleThatSomebodyResetWhileItSettledSettlesAgain) {
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
  expect_in_step();
}

TEST_F(Rotate, NamesThatThePairLacksAreReasonForANewOne) {
  install();
  names_.ips = {"10.96.0.7"};
  EXPECT_EQ(run(), "");
  const auto leaf = certs::parse_certificates(cluster_.secret.tls_crt, "");
  EXPECT_EQ(certs::describe(leaf.front().get()).ip_addresses, names_.ips);
}

TEST_F(Rotate, ADamagedServingPairIsReplaced) {
  install();
  cluster_.secret.tls_key = "junk";
  EXPECT_EQ(run(), "");
  expect_in_step();
}

TEST_F(Rotate, ForcesAPairOnce) {
  install();
  const std::string before = cluster_.secret.tls_crt;
  EXPECT_EQ(run(false, /*force_pair=*/true), "");
  EXPECT_NE(cluster_.secret.tls_crt, before);
  EXPECT_EQ(said_.size(), 2U);
}

TEST_F(Rotate, ASecretOfSomethingElseIsLeftAlone) {
  install();
  cluster_.secret.ca_key.clear();
  EXPECT_THROW(run(), certs::Error);
  cluster_.secret.ca_key = cluster_.secret.tls_key;
  EXPECT_THROW(run(), certs::Error);
}

TEST_F(Rotate, AConflictIsReadAgainAndEndlessConflictsAreGivenUp) {
  install();
  cluster_.conflicts = 3;
  EXPECT_EQ(run(/*force_ca=*/true), "");
  expect_in_step();
  cluster_.conflicts = 1000;
  EXPECT_THROW(run(/*force_ca=*/true), certs::Error);
}

TEST_F(Rotate, AConfigurationThatDoesNotExistYetLeavesTheRunUnfinished) {
  cluster_.webhooks[1] = {.kind = "ValidatingWebhookConfiguration",
                          .name = "winadmit",
                          .ca_bundles = {},
                          .version = ""};
  EXPECT_EQ(run(), "ValidatingWebhookConfiguration winadmit does not exist yet");
  EXPECT_EQ(cluster_.trusted(), 1U) << "the Secret is there, for the replicas to start with";
}

}  // namespace
}  // namespace winadmit::cluster
