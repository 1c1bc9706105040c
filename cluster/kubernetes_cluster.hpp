// Implements Cluster with a Kubernetes API: one Secret, the webhook configurations, and the
// Service's EndpointSlices. It connects to each endpoint to see which certificate it serves.
//
// It needs these permissions:
//
//   Role in the namespace:  secrets                       get, patch     only the Secret's name
//                                                         get            only the other Secret's
//                           endpointslices                list           (discovery.k8s.io)
//   ClusterRole:            mutatingwebhookconfigurations,
//                           validatingwebhookconfigurations  get, patch  only their names
//
// It needs `create` on secrets, which cannot be limited to a name, only if the Secret does not
// exist. The manifests therefore create an empty one.
#pragma once

#include <string>
#include <vector>

#include "cluster/client.hpp"
#include "cluster/rotate.hpp"

namespace winadmit::cluster {

struct ObjectNames {
  std::string name_space;
  std::string secret;
  std::string other_secret = {};  // whose ca.crt is trusted, too; none if empty
  std::string service;
  std::string port_name = "https";  // of the Service; ignored if it has a single port
  std::vector<std::string> mutating;
  std::vector<std::string> validating;
};

class KubernetesCluster final : public Cluster {
 public:
  KubernetesCluster(Client client, ObjectNames objects)
      : client_(std::move(client)), objects_(std::move(objects)) {}

  Secret read_secret() override;
  std::string read_other_cas() override;
  std::vector<WebhookConfiguration> read_webhooks() override;
  std::vector<Replica> read_replicas() override;
  bool write(const Secret& secret) override;
  bool write(const WebhookConfiguration& webhooks) override;
  void set_deadline(Deadline deadline) override;

 private:
  Secret read_secret(const std::string& name) const;
  WebhookConfiguration read_webhooks(const std::string& kind, const std::string& name) const;

  /// The object at `path`; null if it does not exist. Throws Error for any other response.
  nlohmann::json get(const std::string& path) const;

  /// False for a conflict, and for an object that no longer exists. Throws Error for any
  /// other error.
  bool change(const std::string& method, const std::string& path, const nlohmann::json& body,
              const std::string& content_type) const;

  Client client_;
  ObjectNames objects_;
  Deadline deadline_ = kNoDeadline;
};

}  // namespace winadmit::cluster
