// The webhook configurations that make the API server call winadmit: which requests go to which
// path, in which namespaces, and what happens if a call fails. `winadmit export webhook` prints
// them, and deploy/ ships them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "config/config.hpp"
#include "export/namespace_labels.hpp"

namespace winadmit::server {

/// How the API server calls the webhook.
struct WebhookClient {
  std::string name_space =
      "winadmit-system";  // of the Service; its pods are never sent to the webhook
  std::string service = "winadmit";
  std::string url;                      // replaces the Service if it is not empty
  std::string ca_bundle;                // PEM; omitted if empty
  int timeout_seconds = 2;              // except webhooks with kShortTimeout
  std::string failure_policy = "Fail";  // of the webhooks that can refuse
  NamespaceModes modes = {};
};

/// The annotation of the configurations that says from which settings they are made: the SHA-256
/// of the expression may-be-windows for pods, followed by the default OS and its mode if there is
/// one; or kNoMatchConditions. The chart computes it from the expression that it renders.
inline constexpr std::string_view kMatchConditionsAnnotation = "winadmit.dev/match-conditions";
inline constexpr std::string_view kNoMatchConditions = "off";

/// The value of kMatchConditionsAnnotation for these settings.
std::string match_conditions_hash(const Config& config);

/// False if webhook configurations with this annotation may skip Windows pods of `config`.
bool match_conditions_fit(std::string_view annotation, const Config& config);

/// In seconds, of the webhooks for Linux pods by default, and of those that only tell what a
/// default OS would change. While winadmit does not answer, such a pod is created as late.
inline constexpr int kShortTimeout = 1;

/// A MutatingWebhookConfiguration and a ValidatingWebhookConfiguration.
nlohmann::ordered_json webhook_configurations(const Config& config, const WebhookClient& client);

}  // namespace winadmit::server
