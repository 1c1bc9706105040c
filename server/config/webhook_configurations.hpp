// The webhook configurations that make an API server call this server: which requests go to which
// path, in which namespaces, and what happens when the call fails. `winadmit export webhook` prints
// them, and deploy/ ships them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/config/config.hpp"

namespace winadmit::server {

/// Where the API server finds the webhook, and how long it waits.
struct WebhookClient {
  std::string name_space = "winadmit-system";  // of the Service; its pods are never intercepted
  std::string service = "winadmit";
  std::string url;        // goes before the Service, which is then only a name
  std::string ca_bundle;  // PEM; left out if empty
  int timeout_seconds = 5;
  std::string failure_policy = "Fail";  // of what can refuse
};

/// A MutatingWebhookConfiguration and a ValidatingWebhookConfiguration.
nlohmann::ordered_json webhook_configurations(const Config& config, const WebhookClient& client);

}  // namespace winadmit::server
