// Turns a CA and a serving pair before they end, in a Secret and in the webhook configurations that
// trust it, so that no request fails meanwhile. What is asked of the cluster is the interface
// below; how it is asked is kubernetes' work.
//
// The Secret is the truth. Each step reads everything anew, writes one object, and leaves a state
// from which any later run goes on, so a run may die wherever it likes:
//
//   nothing there               issue a CA and a pair; go on trusting what the webhooks trust now
//   a caBundle differs          set it to the Secret's bundle
//   the CA is due               add a new CA to the bundle; it signs from now on
//   pair not signed by it       let the API servers notice the bundle, then issue a pair
//   the pair is due             issue a pair
//   more than one CA trusted    once each replica serves the new pair, trust the signing CA alone
//
// At install this gives the order Secret, then caBundle. Until its caBundle is set, a webhook with
// failurePolicy Fail refuses what it matches: the configuration's namespaceSelector has to exclude
// winadmit's own namespace, or the job that mends this could not start.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cluster/keyring.hpp"

namespace winadmit::cluster {

struct WebhookConfiguration {
  std::string kind;  // "MutatingWebhookConfiguration"
  std::string name;
  std::vector<std::string> ca_bundles;  // PEM, one for each webhook in it
  std::string version;                  // opaque; empty if there is no such configuration
};

struct Replica {
  std::string address;
  bool ready = true;
  std::string sha256;  // of the certificate that it serves; empty if it does not answer
};

/// The part of a cluster that a rotation reads and writes. What fails throws certs::Error.
class Cluster {
 public:
  Cluster() = default;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  virtual ~Cluster() = default;

  virtual Secret read_secret() = 0;
  virtual std::vector<WebhookConfiguration> read_webhooks() = 0;
  virtual std::vector<Replica> read_replicas() = 0;

  /// Writers return false if the object is no longer the one that was read: read it again.
  virtual bool write(const Secret& secret) = 0;
  virtual bool write(const WebhookConfiguration& webhooks) = 0;
};

struct Rotation {
  certs::Names names;
  Lifetimes lifetimes;

  /// Turn this one now, due or not.
  bool force_ca = false;
  bool force_pair = false;

  /// How long the API servers get to notice a new caBundle.
  std::chrono::seconds settle{10};
  /// How long the replicas get to serve a new pair. The kubelet takes up to a minute and a half.
  std::chrono::seconds wait{300};

  std::function<std::chrono::sys_seconds()> now = certs::current_time;
  std::function<void(std::chrono::seconds)> sleep;
  std::function<void(const std::string&)> say;  // a line for each thing done
};

/// A certificate is due when a third of its lifetime is left.
bool is_due(const certs::Description& certificate, std::chrono::sys_seconds now);

/// Goes on until nothing is left to do, and returns "". Else what it waited for in vain: no request
/// fails for it, and the next run goes on from there.
std::string rotate(Cluster& cluster, Rotation rotation);

}  // namespace winadmit::cluster
