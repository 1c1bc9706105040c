// A cluster in memory for tests of rotations.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <exception>
#include <iterator>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "bytes/digest.hpp"
#include "cluster/rotate.hpp"

namespace winadmit::test {

using namespace std::chrono_literals;
using cluster::Cluster;
using cluster::Replica;
using cluster::Secret;
using cluster::WebhookConfiguration;
using std::chrono::seconds;
using std::chrono::sys_seconds;

inline const sys_seconds kStart = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21);

/// Thrown after DelayedCluster::crash_after calls.
struct Crash : std::exception {};

inline bool verify(const std::string& bundle, const std::string& certificate) {
  const auto leaf = certs::parse_certificates(certificate, "served");
  try {
    for (const certs::Certificate& ca : certs::parse_certificates(bundle, "bundle"))
      if (certs::is_issued_by(leaf.front().get(), ca.get())) return true;
  } catch (const Error&) {
    return false;
  }
  return false;
}

/// Remembers results, since a cluster asks the same for each second that passes.
inline bool trusts(const std::string& bundle, const std::string& certificate) {
  static std::unordered_map<std::string, bool> known;
  const auto [found, is_new] = known.try_emplace(bundle + '|' + certificate, false);
  if (is_new) found->second = verify(bundle, certificate);
  return found->second;
}

/// A cluster with delays: API servers use a caBundle, and replicas serve the Secret's pair, only
/// some time after it was written. `failed_requests` counts how often an API server did not trust a
/// replica.
class DelayedCluster : public Cluster {
 public:
  DelayedCluster() {
    for (const char* kind : {"MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"})
      webhooks.push_back(
          {.kind = kind, .name = "winadmit", .ca_bundles = {"", ""}, .version = "1"});
    replicas = {{.delay = 0s}, {.delay = 90s}};
  }

  Secret read_secret() override {
    call();
    return secret;
  }
  std::string read_other_cas() override {
    call();
    return other_cas;
  }
  std::vector<WebhookConfiguration> read_webhooks() override {
    call();
    return webhooks;
  }
  std::vector<Replica> read_replicas() override {
    call();
    const seconds left =
        std::chrono::duration_cast<seconds>(deadline_ - cluster::Deadline(now.time_since_epoch()));
    pass(std::min(replicas_take, left));
    if (left < replicas_take) throw Error("timeout");
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
    // A replica keeps its pair if there is none in the Secret.
    if (!secret.tls_crt.empty()) secrets_.emplace(now, secret.tls_crt);
    check();
    return true;
  }
  bool write(const WebhookConfiguration& next) override {
    call();
    for (WebhookConfiguration& each : webhooks) {
      if (each.kind != next.kind) continue;
      EXPECT_EQ(next.version, each.version) << "written over something that was not read";
      if (!ignores_ca_bundles) each = next;
      bump(each.version);
    }
    bundles_.emplace(now, current_bundles());
    check();
    return true;
  }

  void set_deadline(cluster::Deadline deadline) override { deadline_ = deadline; }

  /// Lets time pass, second by second.
  void pass(seconds time) {
    for (; time > 0s; time -= 1s) {
      now += 1s;
      check();
    }
  }

  /// From now on, failed requests are counted.
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
    seconds delay;
    std::string certificate = {};
    bool is_up = true;
    bool is_ready = true;
  };

  sys_seconds now = kStart;
  Secret secret;
  std::string other_cas;
  std::vector<WebhookConfiguration> webhooks;
  std::vector<Serving> replicas;
  int conflicts = 0;                // this many writes of the Secret fail
  bool ignores_ca_bundles = false;  // something else sets them back at once
  int crash_after = -1;             // this many calls succeed
  seconds replicas_take = 0s;       // to answer
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
      const auto seen = secrets_.upper_bound(now - each.delay);
      if (seen != secrets_.begin()) each.certificate = std::prev(seen)->second;
    }
    if (!counting_) return;
    // One API server uses a bundle at once, another after 5 seconds.
    for (const seconds delay : {0s, 5s}) {
      const auto seen = bundles_.upper_bound(now - delay);
      if (seen == bundles_.begin()) continue;
      for (const std::string& bundle : std::prev(seen)->second)
        for (const Serving& replica : replicas)
          if (!replica.certificate.empty() && !trusts(bundle, replica.certificate))
            ++failed_requests;
    }
  }

  cluster::Deadline deadline_ = cluster::kNoDeadline;
  std::multimap<sys_seconds, std::string> secrets_;
  std::multimap<sys_seconds, std::vector<std::string>> bundles_;
  bool counting_ = false;
};

}  // namespace winadmit::test
