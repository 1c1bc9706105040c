// The webhook configurations that make the API server call winadmit: which requests go to which
// path, in which namespaces, and what happens if a call fails. `winadmit export webhook` prints
// them, and deploy/ ships them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/config/config.hpp"

namespace winadmit::server {

/// How the API server calls the webhook.
struct WebhookClient {
  std::string name_space =
      "winadmit-system";  // of the Service; its pods are never sent to the webhook
  std::string service = "winadmit";
  std::string url;        // replaces the Service if it is not empty
  std::string ca_bundle;  // PEM; omitted if empty
  int timeout_seconds = 5;
  std::string failure_policy = "Fail";  // of the webhooks that can refuse
};

/// A MutatingWebhookConfiguration and a ValidatingWebhookConfiguration.
nlohmann::ordered_json webhook_configurations(const Config& config, const WebhookClient& client);

}  // namespace winadmit::server
