#include "cluster/rotate.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "certs/serving.hpp"

namespace winadmit::cluster {
namespace {

using certs::Description;
using std::chrono::seconds;
using std::chrono::sys_seconds;

constexpr seconds kRotatePoll{2};
/// How long the kubelet needs to update the files of a Secret: up to 90 seconds.
constexpr seconds kKubeletSync{120};
constexpr int kMaxConflicts = 20;
/// Far more than a rotation with some ten webhook configurations makes.
constexpr int kMaxChanges = 100;

const std::string kOldCa = "the old CA is still trusted: ";

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

bool is_valid(const Description& certificate, sys_seconds now) {
  return certs::date_fault(certificate, now).empty();
}

/// A certificate is due when a third of its lifetime is left.
bool is_due(const Description& certificate, sys_seconds now) {
  return certificate.not_after - now <= (certificate.not_after - certificate.not_before) / 3;
}

/// Throws Error if an API server that trusts the CA would refuse the serving certificate.
void check(const ParsedSecret& secret, const std::string& serving_key, sys_seconds now) {
  const std::string chain =
      certs::to_pem(secret.serving->leaf()) + certs::to_pem(secret.signing.leaf());
  certs::check_serving(certs::parse_pair({.certificate = chain, .key = serving_key},
                                         {.certificate = "the Secret", .key = "tls.key of it"}),
                       now);
}

/// Why some replica may still serve another pair than `serving`; empty if none does.
std::string why_not_served(const std::vector<Replica>& replicas, const Description& serving,
                           sys_seconds now) {
  // A replica that is not ready and does not answer reads its files when it starts. The kubelet may
  // have written them before.
  const bool may_start_with_old_pair = now - serving.not_before < certs::kBackdate + kKubeletSync;
  bool is_served = false;
  for (const Replica& replica : replicas) {
    if (replica.sha256 == serving.sha256) {
      is_served = true;
    } else if (!replica.sha256.empty()) {
      return replica.address + " still serves another pair";
    } else if (replica.ready) {
      return replica.address + " does not answer";
    } else if (may_start_with_old_pair) {
      return replica.address + " may start with another pair";
    }
  }
  return is_served ? "" : "no replica is ready";
}

class Rotator {
 public:
  Rotator(Cluster& cluster, RotateOptions options)
      : cluster_(cluster), options_(std::move(options)) {
    options_.names = certs::canonical_names(std::move(options_.names));
  }

  std::string run() {
    try {
      run_steps();
    } catch (const Error& error) {
      if (!wait_ends_ || options_.clock() < *wait_ends_) throw;
      unfinished_ = kOldCa + error.what();
    }
    return unfinished_;
  }

 private:
  void run_steps() {
    while (step()) {
      if (conflicts_ > kMaxConflicts)
        throw Error("too many conflicts: something else writes the same objects");
      if (changes_ > kMaxChanges)
        throw Error("too many changes: the objects do not stay as they are written");
    }
  }

  /// Reads everything and does the first thing that is due. False if nothing is left to do.
  bool step();

  /// What the caBundles have to trust.
  struct Bundle {
    std::string pem;
    bool has_two_sources;
  };

  /// The Secret with a new serving pair. Throws Error if an API server would refuse the pair.
  Secret renew_pair(const Secret& secret) const;

  /// Throws Error if an API server would refuse each pair of the CA that signs: the caBundles must
  /// not replace one that works by it.
  void check_signing_ca(const Secret& secret, const ParsedSecret& parsed) const;

  /// Continues with the CA and the pair, once the caBundles are up to date.
  bool step_certificates(const Secret& secret, const ParsedSecret& parsed, const Bundle& bundle,
                         const std::vector<WebhookConfiguration>& webhooks);

  // Each does one step and returns what step() returns.
  bool fill_secret(const Secret& secret, const std::vector<WebhookConfiguration>& webhooks);
  bool set_ca_bundles(WebhookConfiguration webhooks, const std::string& bundle);
  bool issue_ca(const Secret& secret);
  bool issue_serving_pair(const Secret& secret);
  bool wait_for_api_servers(const std::string& bundle);
  bool retire_old_cas(const Secret& secret, const Description& serving);
  bool finish(const std::vector<WebhookConfiguration>& webhooks, const Description& ca,
              const Description& serving, bool keeps_old_cas);

  template <typename Object>
  bool write(const Object& object, const std::string& change) {
    const bool is_written = cluster_.write(object);
    if (is_written) {
      ++changes_;
      options_.report(change);
    } else {
      ++conflicts_;
      options_.sleep(seconds(1));
    }
    return is_written;
  }

  Cluster& cluster_;
  RotateOptions options_;
  std::string settled_;                // the bundle that the API servers had time to notice
  std::optional<Deadline> wait_ends_;  // only while it waits for replicas
  bool has_looked_again_ = false;      // at the end
  int conflicts_ = 0;
  int changes_ = 0;
  std::string unfinished_;
};

bool Rotator::step() {
  // The configurations are read before the Secret: then a run that another one has overtaken cannot
  // replace a caBundle by an older one.
  const std::vector<WebhookConfiguration> webhooks = cluster_.read_webhooks();
  const Secret secret = cluster_.read_secret();
  const std::string other_cas = cluster_.read_other_cas();

  if (is_empty(secret)) return fill_secret(secret, webhooks);
  if (secret.ca_key.empty())
    throw Error("the Secret has no ca.key: something else manages it; use another Secret");
  // All is read before anything is written: replicas may still serve the pair of a damaged Secret.
  const ParsedSecret parsed = parse_secret(secret);
  // The certificates alone: a Secret may have other text beside them, even a private key.
  Bundle bundle{.pem = certs::to_pem(parsed.trusted), .has_two_sources = !other_cas.empty()};
  if (bundle.has_two_sources)
    bundle.pem += certs::to_pem(certs::parse_certificates(other_cas, "ca.crt of the other Secret"));
  for (const WebhookConfiguration& each : webhooks) {
    if (trusts_only(each, bundle.pem)) continue;
    check_signing_ca(secret, parsed);
    return set_ca_bundles(each, bundle.pem);
  }
  return step_certificates(secret, parsed, bundle, webhooks);
}

void Rotator::check_signing_ca(const Secret& secret, const ParsedSecret& parsed) const {
  const Description ca = certs::describe(parsed.signing.leaf());
  const sys_seconds now = options_.now();
  if (options_.force_ca || is_due(ca, now) || !is_valid(ca, now)) return;  // it is replaced
  renew_pair(secret);
}

bool Rotator::step_certificates(const Secret& secret, const ParsedSecret& parsed,
                                const Bundle& bundle,
                                const std::vector<WebhookConfiguration>& webhooks) {
  const Description ca = certs::describe(parsed.signing.leaf());
  const sys_seconds now = options_.now();
  const bool has_old_cas = parsed.trusted.size() > 1;
  const bool retires_old_cas = has_old_cas && !bundle.has_two_sources;
  const bool wants_ca = options_.force_ca || is_due(ca, now);
  if (!is_valid(ca, now) || (wants_ca && !retires_old_cas)) return issue_ca(secret);

  if (!parsed.serving || !certs::is_issued_by(parsed.serving->leaf(), parsed.signing.leaf())) {
    // With one trusted CA, the API servers know it already: the pair was damaged.
    const bool is_known = settled_ == bundle.pem || (!parsed.serving && !has_old_cas);
    if (!is_known) return wait_for_api_servers(bundle.pem);
    return issue_serving_pair(secret);
  }
  const Description serving = certs::describe(parsed.serving->leaf());
  const bool is_usable = is_valid(serving, now) && covers(serving, options_.names);
  if (options_.force_pair || is_due(serving, now) || !is_usable) return issue_serving_pair(secret);

  check(parsed, secret.tls_key, now);
  if (retires_old_cas) return retire_old_cas(secret, serving);
  return finish(webhooks, ca, serving, has_old_cas);
}

bool Rotator::fill_secret(const Secret& secret, const std::vector<WebhookConfiguration>& webhooks) {
  // Replicas may still serve an older pair: of a Secret that was lost, or from another source.
  std::vector<std::string> ca_bundles;
  for (const WebhookConfiguration& each : webhooks)
    ca_bundles.insert(ca_bundles.end(), each.ca_bundles.begin(), each.ca_bundles.end());
  const sys_seconds now = options_.now();
  const Secret trusting = trust(secret, ca_bundles);
  const bool has_old_cas = !trusting.ca_crt.empty();
  Secret filled = add_ca(trusting, options_.lifetimes, now);
  if (!has_old_cas) filled = renew_serving_pair(filled, options_.names, options_.lifetimes, now);
  if (write(filled, has_old_cas ? "issued a CA; the CAs of the caBundles are still trusted"
                                : "issued a CA and a serving pair")) {
    options_.force_ca = options_.force_pair = false;
  }
  return true;
}

bool Rotator::set_ca_bundles(WebhookConfiguration webhooks, const std::string& bundle) {
  std::fill(webhooks.ca_bundles.begin(), webhooks.ca_bundles.end(), bundle);
  settled_.clear();
  write(webhooks, "set the caBundle of " + webhooks.kind + " " + webhooks.name);
  return true;
}

bool Rotator::issue_ca(const Secret& secret) {
  const Secret next = add_ca(secret, options_.lifetimes, options_.now());
  if (write(next, "issued a new CA; the old one is still trusted")) options_.force_ca = false;
  return true;
}

Secret Rotator::renew_pair(const Secret& secret) const {
  const Secret next =
      renew_serving_pair(secret, options_.names, options_.lifetimes, options_.now());
  check(parse_secret(next), next.tls_key, options_.now());
  return next;
}

bool Rotator::issue_serving_pair(const Secret& secret) {
  if (write(renew_pair(secret), "issued a new serving pair")) options_.force_pair = false;
  return true;
}

bool Rotator::wait_for_api_servers(const std::string& bundle) {
  options_.sleep(options_.settle);
  settled_ = bundle;
  return true;
}

bool Rotator::retire_old_cas(const Secret& secret, const Description& serving) {
  if (!wait_ends_) {
    wait_ends_ = options_.clock() + options_.wait;
    if (options_.wait > seconds(0)) cluster_.set_deadline(*wait_ends_);
  }
  const std::string reason = why_not_served(cluster_.read_replicas(), serving, options_.now());
  if (reason.empty()) {
    wait_ends_.reset();
    cluster_.set_deadline(kNoDeadline);
    write(remove_old_cas(secret), "every replica serves the new pair: removed the old CA");
    return true;
  }
  if (options_.clock() + kRotatePoll >= *wait_ends_) {
    unfinished_ = kOldCa + reason;
    return false;
  }
  options_.sleep(kRotatePoll);
  return true;
}

bool Rotator::finish(const std::vector<WebhookConfiguration>& webhooks, const Description& ca,
                     const Description& serving, bool keeps_old_cas) {
  // Helm applies the configurations after it has started the Job that runs this: webhooks that a
  // new release adds may come while it runs, and would have no caBundle until the next run.
  if (!std::exchange(has_looked_again_, true)) {
    options_.sleep(options_.settle);
    return true;
  }
  if (keeps_old_cas)
    options_.report("the old CAs stay trusted as long as there is another source of certificates");
  for (const WebhookConfiguration& each : webhooks)
    if (each.version.empty()) unfinished_ = each.kind + " " + each.name + " does not exist yet";
  options_.report("the serving pair expires at " + certs::to_string(serving.not_after) +
                  ", the CA at " + certs::to_string(ca.not_after));
  return false;
}

}  // namespace

std::string rotate(Cluster& cluster, RotateOptions options) {
  return Rotator(cluster, std::move(options)).run();
}

}  // namespace winadmit::cluster
