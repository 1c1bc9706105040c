#include "cluster/rotate.hpp"

#include <algorithm>
#include <utility>

namespace winadmit::cluster {
namespace {

using certs::Description;
using certs::Error;
using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr seconds kPoll{2};
constexpr int kMaxConflicts = 20;

bool covers(const Description& certificate, const certs::Names& names) {
  const auto has_all = [](const auto& have, const auto& want) {
    return std::all_of(want.begin(), want.end(), [&](const auto& name) {
      return std::find(have.begin(), have.end(), name) != have.end();
    });
  };
  return has_all(certificate.dns_names, names.dns) && has_all(certificate.ip_addresses, names.ips);
}

bool trusts_only(const WebhookConfiguration& webhooks, const std::string& bundle) {
  return std::all_of(webhooks.ca_bundles.begin(), webhooks.ca_bundles.end(),
                     [&](const std::string& each) { return each == bundle; });
}

/// Why the pair cannot be said to be served everywhere; empty if it can.
std::string laggard(const std::vector<Replica>& replicas, const std::string& sha256) {
  bool is_served = false;
  for (const Replica& replica : replicas) {
    if (replica.sha256 == sha256) {
      is_served = true;
    } else if (!replica.sha256.empty()) {
      return replica.address + " still serves another pair";
    } else if (replica.ready) {
      return replica.address + " does not answer";
    }
    // A replica that is not ready and does not answer reads the Secret once it starts.
  }
  return is_served ? "" : "no replica is ready";
}

class Run {
 public:
  Run(Cluster& cluster, Rotation rotation) : cluster_(cluster), asked_(std::move(rotation)) {}

  std::string finish() {
    while (step()) {
      if (conflicts_ > kMaxConflicts) throw Error("something else keeps writing the same objects");
    }
    return unfinished_;
  }

 private:
  /// Reads everything and does the first thing that is to be done; false if there is none.
  bool step();

  bool begin(const Secret& secret, const std::vector<WebhookConfiguration>& webhooks);
  bool publish(WebhookConfiguration webhooks, const std::string& bundle);
  bool add_ca(const Secret& secret);
  bool issue_serving(const Secret& secret);
  bool let_settle(const std::string& bundle);
  bool retire_old_cas(const Secret& secret, const std::string& serving);
  bool stop(const std::vector<WebhookConfiguration>& webhooks, const Description& ca,
            const Description& serving);

  template <typename Object>
  bool write(const Object& object, const std::string& what) {
    const bool written = cluster_.write(object);
    if (written) {
      asked_.say(what);
    } else {
      ++conflicts_;
      asked_.sleep(seconds(1));
    }
    return written;
  }

  Cluster& cluster_;
  Rotation asked_;
  std::string settled_;  // the bundle that the API servers were given time to notice
  seconds waited_{0};
  int conflicts_ = 0;
  std::string unfinished_;
};

bool Run::step() {
  // In this order, a bundle is only ever written over a caBundle that is older than the Secret it
  // comes from: a run that was overtaken by another cannot take a CA back.
  const std::vector<WebhookConfiguration> webhooks = cluster_.read_webhooks();
  const Secret secret = cluster_.read_secret();

  if (is_empty(secret)) return begin(secret, webhooks);
  if (secret.ca_key.empty())
    throw Error("the Secret has no ca.key: something else keeps it; name another one");
  for (const WebhookConfiguration& each : webhooks)
    if (!trusts_only(each, secret.ca_crt)) return publish(each, secret.ca_crt);

  const Keyring keyring = read_keyring(secret);
  const Description ca = certs::describe(keyring.signing.leaf());
  const sys_seconds now = asked_.now();
  const bool is_turning = keyring.trusted.size() > 1;
  const bool is_asked_for = asked_.force_ca || is_due(ca, now);
  if (now > ca.not_after || (is_asked_for && !is_turning)) return add_ca(secret);

  if (!keyring.serving) return issue_serving(secret);
  if (!certs::is_issued_by(keyring.serving->leaf(), keyring.signing.leaf()))
    return settled_ == secret.ca_crt ? issue_serving(secret) : let_settle(secret.ca_crt);
  const Description serving = certs::describe(keyring.serving->leaf());
  if (asked_.force_pair || is_due(serving, now) || !covers(serving, asked_.names))
    return issue_serving(secret);

  if (is_turning) return retire_old_cas(secret, serving.sha256);
  return stop(webhooks, ca, serving);
}

bool Run::begin(const Secret& secret, const std::vector<WebhookConfiguration>& webhooks) {
  // Replicas may still serve a pair from before: of a Secret that was lost, or from another source.
  std::vector<std::string> trusted;
  for (const WebhookConfiguration& each : webhooks)
    trusted.insert(trusted.end(), each.ca_bundles.begin(), each.ca_bundles.end());
  const Secret first =
      with_everything(secret, trusted, asked_.names, asked_.lifetimes, asked_.now());
  if (write(first, "issued a CA and a serving pair")) asked_.force_ca = asked_.force_pair = false;
  return true;
}

bool Run::publish(WebhookConfiguration webhooks, const std::string& bundle) {
  std::fill(webhooks.ca_bundles.begin(), webhooks.ca_bundles.end(), bundle);
  settled_.clear();
  write(webhooks, "set the caBundle of " + webhooks.kind + " " + webhooks.name);
  return true;
}

bool Run::add_ca(const Secret& secret) {
  const Secret next = with_new_ca(secret, asked_.lifetimes, asked_.now());
  if (write(next, "issued a new CA, to be trusted beside the old")) asked_.force_ca = false;
  return true;
}

bool Run::issue_serving(const Secret& secret) {
  const Secret next = with_new_serving(secret, asked_.names, asked_.lifetimes, asked_.now());
  if (write(next, "issued a new serving pair")) asked_.force_pair = false;
  return true;
}

bool Run::let_settle(const std::string& bundle) {
  asked_.sleep(asked_.settle);
  settled_ = bundle;
  return true;
}

bool Run::retire_old_cas(const Secret& secret, const std::string& serving) {
  const std::string reason = laggard(cluster_.read_replicas(), serving);
  if (reason.empty()) {
    write(without_old_cas(secret), "each replica serves the new pair: dropped the old CA");
    return true;
  }
  if (waited_ >= asked_.wait) {
    unfinished_ = "the old CA is still trusted beside the new: " + reason;
    return false;
  }
  asked_.sleep(kPoll);
  waited_ += kPoll;
  return true;
}

bool Run::stop(const std::vector<WebhookConfiguration>& webhooks, const Description& ca,
               const Description& serving) {
  for (const WebhookConfiguration& each : webhooks)
    if (each.version.empty()) unfinished_ = each.kind + " " + each.name + " does not exist yet";
  asked_.say("the serving pair ends " + certs::to_string(serving.not_after) + ", the CA " +
             certs::to_string(ca.not_after));
  return false;
}

}  // namespace

bool is_due(const certs::Description& certificate, sys_seconds now) {
  return certificate.not_after - now <= (certificate.not_after - certificate.not_before) / 3;
}

std::string rotate(Cluster& cluster, Rotation rotation) {
  return Run(cluster, std::move(rotation)).finish();
}

}  // namespace winadmit::cluster
