// Rotates a CA and a serving pair before they expire, in a Secret and in the webhook configurations
// that trust it, without a failed request.
//
// The Secret is the source of truth. Each step reads everything again, writes one object, and
// leaves a state from which any later run can continue, so a run may be killed at any point:
//
//   Secret is empty                 issue a CA and a pair; if the caBundles have CAs, only a CA
//                                   beside theirs: replicas may still serve a pair of these
//   a CA or its key cannot be read  fail, and change nothing
//   a caBundle differs              set it to the CAs of the Secret
//   the CA is due or is not valid   add a new CA to the bundle; it signs from now on
//   there is no pair of this CA     wait until the API servers use the bundle, then issue a pair
//   the pair is due, is not valid
//   or lacks a name                 issue a pair, unless an API server would refuse it: then fail
//   several CAs are trusted         once every replica serves the new pair, remove the old CAs
//
// While the source of the certificates changes, the caBundles trust the CAs of both sources, and no
// CA is removed: replicas may serve the pair of the other source.
//
// At installation, the Secret is therefore written before the caBundles. Until its caBundle is set,
// a webhook with failurePolicy Fail refuses what it matches: the namespaceSelector must exclude
// winadmit's own namespace, or the job that runs the rotation cannot start.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "cluster/deadline.hpp"
#include "cluster/secret.hpp"

namespace winadmit::cluster {

struct WebhookConfiguration {
  std::string kind;  // "MutatingWebhookConfiguration"
  std::string name;
  std::vector<std::string> ca_bundles;  // PEM, one for each webhook in it
  std::string version;                  // resourceVersion; empty if it does not exist
};

struct Replica {
  std::string address;
  bool ready = true;
  std::string sha256;  // of the served certificate; empty if there is no answer
};

/// What a rotation reads and writes. Errors throw Error.
class Cluster {
 public:
  Cluster() = default;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;
  virtual ~Cluster() = default;

  virtual Secret read_secret() = 0;
  /// CAs of another source of certificates (PEM), which the caBundles trust, too; empty if none.
  virtual std::string read_other_cas() { return {}; }
  virtual std::vector<WebhookConfiguration> read_webhooks() = 0;
  virtual std::vector<Replica> read_replicas() = 0;

  /// False if the object has changed since it was read.
  virtual bool write(const Secret& secret) = 0;
  virtual bool write(const WebhookConfiguration& webhooks) = 0;

  /// When calls from now on end at the latest: with an Error.
  virtual void set_deadline(Deadline) {}
};

struct RotateOptions {
  certs::Names names;
  Lifetimes lifetimes;

  /// Renew the CA, or the serving pair, now, even if it is not due.
  bool force_ca = false;
  bool force_pair = false;

  /// How long to wait until the API servers use a new caBundle, and before the last look at the
  /// webhook configurations.
  std::chrono::seconds settle{10};
  /// How long to wait, at most, until every replica serves a new pair; 0: look once. The kubelet
  /// needs up to 90 seconds to update the files.
  std::chrono::seconds wait{300};

  std::function<std::chrono::sys_seconds()> now = certs::current_time;  // of certificates
  std::function<Deadline()> clock = std::chrono::steady_clock::now;     // of the wait
  std::function<void(std::chrono::seconds)> sleep;
  std::function<void(const std::string&)> report;  // called for each change, and at the end
};

/// Runs until nothing is left to do, and returns "". If the wait time ends before that, returns the
/// reason: requests do not fail, and the next run continues. Throws Error, also for an
/// invalid name, and if objects do not stay as they are written.
std::string rotate(Cluster& cluster, RotateOptions options);

}  // namespace winadmit::cluster
