#include "export/webhook_configurations.hpp"

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "admission/route.hpp"
#include "bytes/base64.hpp"
#include "bytes/digest.hpp"
#include "export/admission_rules.hpp"
#include "export/cel/match_conditions.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;

/// One webhook of a configuration.
struct Entry {
  std::string_view name;
  std::string_view path;
  Resources resources;
  DefaultOs default_os;
  bool can_refuse = false;
};

using enum Resources;

// A Windows pod is placed by "place" also where pods are for Linux by default.
constexpr std::array kMutating = {
    Entry{"place", "/mutate", pods, DefaultOs::not_windows},
    Entry{"place-default-windows", "/mutate/default-windows", pods, DefaultOs::windows},
    Entry{"place-default-linux", "/mutate/default-linux", pods, DefaultOs::linux},
    Entry{"place-daemonsets", "/mutate", daemon_sets, DefaultOs::not_windows},
    Entry{"place-daemonsets-default-windows", "/mutate/default-windows", daemon_sets,
          DefaultOs::windows},
    Entry{"place-daemonsets-default-linux", "/mutate/default-linux", daemon_sets, DefaultOs::linux},
    Entry{"place-audit-default-windows", "/mutate/audit/default-windows", pods_and_daemon_sets,
          DefaultOs::audited},
    Entry{"place-audit-default-linux", "/mutate/audit/default-linux", pods_and_daemon_sets,
          DefaultOs::audited},
};

constexpr std::array kValidating = {
    Entry{"validate", "/validate", pods_and_subresources, DefaultOs::not_windows, true},
    Entry{"validate-default-windows", "/validate/default-windows", pods_and_subresources,
          DefaultOs::windows, true},
    // Separate from the pods: by default they only warn, so their failure must not block a rollout.
    Entry{"workloads", "/validate", workloads, DefaultOs::not_windows},
    Entry{"workloads-default-windows", "/validate/default-windows", workloads, DefaultOs::windows},
    // Whoever applies a Deployment sees the warnings about it, but not those about its pods.
    Entry{"warn", "/validate/warn", pods_with_subresources_and_workloads, DefaultOs::not_windows},
    Entry{"warn-default-windows", "/validate/warn/default-windows",
          pods_with_subresources_and_workloads, DefaultOs::windows},
    Entry{"audit", "/validate/audit", pods_with_subresources_and_workloads, DefaultOs::not_windows},
    Entry{"audit-default-windows", "/validate/audit/default-windows",
          pods_with_subresources_and_workloads, DefaultOs::windows},
};

/// The API server calls mutating configurations in the order of their names. Webhooks of other
/// vendors read the node selector once: see docs/compatibility.md. Validating ones are called in
/// parallel.
constexpr std::string_view kMutatingName = "00-winadmit";

bool has_match_conditions(const Config& config) {
  return config.policy.kubernetes >= kMatchConditionsVersion;
}

std::string hash_of_conditions(const Config& config) {
  std::string text = may_be_windows(config.policy, false).expression;
  if (config.default_os != Os::none) {
    text += config.audits_default_os ? "audit-" : "";
    text += to_string(config.default_os);
  }
  return sha256(text);
}

Json match_conditions(const Entry& entry, const Config& config) {
  Json all = Json::array({to_json(changes_something())});
  const bool in_workloads = entry.resources != pods && entry.resources != pods_and_subresources;
  if (entry.default_os == DefaultOs::not_windows) {
    all.push_back(to_json(may_be_windows(config.policy, in_workloads)));
  } else if (entry.default_os == DefaultOs::linux || entry.default_os == DefaultOs::audited) {
    all.push_back(to_json(selects_no_os(in_workloads)));
  } else if (!in_workloads) {
    all.push_back(to_json(may_be_windows_by_default(config.policy)));
  }
  return all;
}

Json client_config(const Entry& entry, const WebhookClient& client) {
  Json json;
  if (!client.url.empty()) {
    json["url"] = client.url + std::string(entry.path);
  } else {
    json["service"] = {{"namespace", client.name_space},
                       {"name", client.service},
                       {"path", entry.path},
                       {"port", 443}};
  }
  if (!client.ca_bundle.empty()) json["caBundle"] = to_base64(client.ca_bundle);
  return json;
}

Json webhook(const Entry& entry, const Config& config, const WebhookClient& client) {
  const Route& route = *find_route(entry.path);
  const bool is_placing = route.hook == Hook::mutate;
  Json json = {{"name", std::string(entry.name) + ".winadmit.dev"},
               {"clientConfig", client_config(entry, client)},
               {"rules", rules_for(entry.resources, config)},
               {"namespaceSelector",
                namespace_selector({.mode = is_placing ? std::nullopt : std::optional(route.mode),
                                    .default_os = entry.default_os,
                                    .modes = client.modes,
                                    .excluded = client.name_space},
                                   config)}};
  if (has_match_conditions(config)) {
    json["matchConditions"] = match_conditions(entry, config);
  }
  json["failurePolicy"] = entry.can_refuse ? client.failure_policy : "Ignore";
  json["matchPolicy"] = "Equivalent";
  json["sideEffects"] = "None";
  const bool is_short = is_placing && (route.default_os == Os::linux || route.mode == Mode::audit);
  json["timeoutSeconds"] = is_short ? kShortTimeout : client.timeout_seconds;
  json["admissionReviewVersions"] = {"v1", "v1beta1"};
  // A later webhook may add a container or a toleration.
  if (is_placing) json["reinvocationPolicy"] = route.mode == Mode::audit ? "Never" : "IfNeeded";
  return json;
}

/// Whether the configuration asks for the webhook. An audited default OS is that of one path.
bool is_wanted(const Entry& entry, const Config& config) {
  if (entry.default_os != DefaultOs::audited) return true;
  return config.audits_default_os && find_route(entry.path)->default_os == config.default_os;
}

/// Those that have something to select.
Json webhooks(std::span<const Entry> entries, const Config& config, const WebhookClient& client) {
  Json all = Json::array();
  for (const Entry& entry : entries) {
    if (!is_wanted(entry, config)) continue;
    Json made = webhook(entry, config, client);
    if (!made["rules"].empty()) all.push_back(std::move(made));
  }
  return all;
}

Json configuration(std::string_view kind, std::string_view name, const Config& config,
                   Json webhooks) {
  const Json annotations = {{kMatchConditionsAnnotation, match_conditions_hash(config)}};
  return {{"apiVersion", "admissionregistration.k8s.io/v1"},
          {"kind", kind},
          {"metadata", {{"name", name}, {"annotations", annotations}}},
          {"webhooks", std::move(webhooks)}};
}

}  // namespace

std::string match_conditions_hash(const Config& config) {
  return has_match_conditions(config) ? hash_of_conditions(config)
                                      : std::string(kNoMatchConditions);
}

bool match_conditions_fit(std::string_view annotation, const Config& config) {
  return annotation == kNoMatchConditions || annotation == hash_of_conditions(config);
}

Json webhook_configurations(const Config& config, const WebhookClient& client) {
  Json mutating = webhooks(kMutating, config, client);
  Json validating = webhooks(kValidating, config, client);
  return Json::array(
      {configuration("MutatingWebhookConfiguration", kMutatingName, config, std::move(mutating)),
       configuration("ValidatingWebhookConfiguration", "winadmit", config, std::move(validating))});
}

}  // namespace winadmit::server
