// A rotation's cluster as a Kubernetes API has it: one Secret, the webhook configurations, and the
// Service's EndpointSlices, whose endpoints are connected to.
//
// The rights that it needs, and no more:
//
//   Role in the namespace:  secrets                       get, patch     only the Secret's name
//                           endpointslices                list           (discovery.k8s.io)
//   ClusterRole:            mutatingwebhookconfigurations,
//                           validatingwebhookconfigurations  get, patch  only their names
//
// `create` on secrets cannot be limited to a name. It is needed only where nobody creates the
// Secret beforehand; an empty one in the manifests, which so own and remove it, is filled by
// `patch`.
#pragma once

#include <string>
#include <vector>

#include "cluster/client.hpp"
#include "cluster/rotate.hpp"

namespace winadmit::cluster {

/// What the objects are called.
struct Objects {
  std::string name_space;
  std::string secret;
  std::string service;
  std::string port_name = "https";  // of the Service; a single port is taken whatever its name
  std::vector<std::string> mutating;
  std::vector<std::string> validating;
};

class Kubernetes final : public Cluster {
 public:
  Kubernetes(Client client, Objects objects)
      : client_(std::move(client)), objects_(std::move(objects)) {}

  Secret read_secret() override;
  std::vector<WebhookConfiguration> read_webhooks() override;
  std::vector<Replica> read_replicas() override;
  bool write(const Secret& secret) override;
  bool write(const WebhookConfiguration& webhooks) override;

 private:
  WebhookConfiguration read_webhooks(const std::string& kind, const std::string& name) const;

  /// The object at `path`; null if there is none. Throws certs::Error for any other answer.
  nlohmann::json get(const std::string& path) const;

  /// False for a conflict. Throws certs::Error for any other refusal.
  bool change(const std::string& method, const std::string& path, const nlohmann::json& body,
              const std::string& content_type) const;

  Client client_;
  Objects objects_;
};

}  // namespace winadmit::cluster
