#include "server/config/webhook_configurations.hpp"

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "certs/base64.hpp"
#include "policy/cel/match_conditions.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kModeLabel = "winadmit.dev/mode";
constexpr std::string_view kDefaultOsLabel = "winadmit.dev/default-os";

/// What a pod is in the namespaces of an entry that does not say it itself.
enum class DefaultOs { none, windows, linux, any };

enum class What { pods, specs_of_pods, daemon_sets, workloads };

/// One webhook of a configuration: a sentence about which requests go where.
struct Entry {
  std::string_view name;
  std::string_view path;
  What what;
  DefaultOs default_os;
  std::string_view mode;  // "" is any that enforces
  bool refuses = false;
};

// An audit changes nothing, so nothing is placed there. What warns is still placed: without it the
// warnings would be about a pod that nobody gets.
constexpr std::array kPlacing = {
    Entry{"place", "/mutate", What::pods, DefaultOs::none, "place"},
    Entry{"place-default-windows", "/mutate/default-windows", What::pods, DefaultOs::windows,
          "place"},
    Entry{"place-default-linux", "/mutate/default-linux", What::pods, DefaultOs::linux, "place"},
    Entry{"place-daemonsets", "/mutate", What::daemon_sets, DefaultOs::none, "place"},
    Entry{"place-daemonsets-default-windows", "/mutate/default-windows", What::daemon_sets,
          DefaultOs::windows, "place"},
    Entry{"place-daemonsets-default-linux", "/mutate/default-linux", What::daemon_sets,
          DefaultOs::linux, "place"},
};

constexpr std::array kJudging = {
    Entry{"validate", "/validate", What::specs_of_pods, DefaultOs::none, "", true},
    Entry{"validate-default-windows", "/validate/default-windows", What::specs_of_pods,
          DefaultOs::windows, "", true},
    Entry{"validate-default-linux", "/validate/default-linux", What::specs_of_pods,
          DefaultOs::linux, "", true},
    // Apart from the pods, so that nobody's rollout waits for a warning.
    Entry{"workloads", "/validate", What::workloads, DefaultOs::any, ""},
    Entry{"warn", "/validate/warn", What::specs_of_pods, DefaultOs::any, "warn"},
    Entry{"audit", "/validate/audit", What::specs_of_pods, DefaultOs::any, "audit"},
};

Json rule(std::string_view group, std::vector<std::string_view> resources) {
  return {{"apiGroups", {group}},
          {"apiVersions", {"v1"}},
          {"operations", {"CREATE", "UPDATE"}},
          {"resources", resources},
          {"scope", "Namespaced"}};
}

Json rules_for(What what) {
  switch (what) {
    case What::pods:
      return Json::array({rule("", {"pods"})});
    case What::specs_of_pods:
      return Json::array({rule("", {"pods", "pods/ephemeralcontainers", "pods/resize"})});
    case What::daemon_sets:
      return Json::array({rule("apps", {"daemonsets"})});
    case What::workloads:
      break;
  }
  return Json::array({rule("", {"replicationcontrollers", "podtemplates"}),
                      rule("apps", {"deployments", "replicasets", "statefulsets", "daemonsets"}),
                      rule("batch", {"jobs", "cronjobs"})});
}

Json requirement(std::string_view key, std::string_view op, std::vector<std::string_view> values) {
  return {{"key", key}, {"operator", op}, {"values", values}};
}

Json namespace_selector(const Entry& entry, const Config& config, const WebhookClient& client) {
  std::vector<std::string_view> never = {"kube-system", client.name_space};
  never.insert(never.end(), config.exempt.namespaces.begin(), config.exempt.namespaces.end());
  Json all = Json::array({requirement("kubernetes.io/metadata.name", "NotIn", never)});
  if (entry.mode == "place") {
    all.push_back(requirement(kModeLabel, "NotIn", {"off", "audit"}));
  } else if (entry.mode.empty()) {
    all.push_back(requirement(kModeLabel, "NotIn", {"off", "warn", "audit"}));
  } else {
    all.push_back(requirement(kModeLabel, "In", {entry.mode}));
  }
  switch (entry.default_os) {
    case DefaultOs::none:
      all.push_back(requirement(kDefaultOsLabel, "NotIn", {"windows", "linux"}));
      break;
    case DefaultOs::windows:
      all.push_back(requirement(kDefaultOsLabel, "In", {"windows"}));
      break;
    case DefaultOs::linux:
      all.push_back(requirement(kDefaultOsLabel, "In", {"linux"}));
      break;
    case DefaultOs::any:
      break;
  }
  return {{"matchExpressions", all}};
}

/// Where a pod that says nothing has an OS, each can matter.
Json match_conditions(const Entry& entry, const Config& config) {
  const auto json = [](const MatchCondition& condition) {
    return Json{{"name", condition.name}, {"expression", condition.expression}};
  };
  Json all = Json::array({json(changes_something())});
  if (entry.default_os == DefaultOs::none || entry.default_os == DefaultOs::any) {
    const bool in_workloads = entry.what == What::daemon_sets || entry.what == What::workloads;
    all.push_back(json(may_be_windows(config.policy, in_workloads)));
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
  if (!client.ca_bundle.empty()) json["caBundle"] = certs::to_base64(client.ca_bundle);
  return json;
}

Json webhook(const Entry& entry, const Config& config, const WebhookClient& client) {
  Json json = {{"name", std::string(entry.name) + ".winadmit.dev"},
               {"clientConfig", client_config(entry, client)},
               {"rules", rules_for(entry.what)},
               {"namespaceSelector", namespace_selector(entry, config, client)}};
  if (config.policy.kubernetes >= kMatchConditionsVersion)
    json["matchConditions"] = match_conditions(entry, config);
  json["failurePolicy"] = entry.refuses ? client.failure_policy : "Ignore";
  json["matchPolicy"] = "Equivalent";
  json["sideEffects"] = "None";
  json["timeoutSeconds"] = client.timeout_seconds;
  json["admissionReviewVersions"] = {"v1", "v1beta1"};
  return json;
}

Json configuration(std::string_view kind, Json webhooks) {
  return {{"apiVersion", "admissionregistration.k8s.io/v1"},
          {"kind", kind},
          {"metadata", {{"name", "winadmit"}}},
          {"webhooks", std::move(webhooks)}};
}

}  // namespace

Json webhook_configurations(const Config& config, const WebhookClient& client) {
  Json placing = Json::array();
  for (const Entry& entry : kPlacing) {
    placing.push_back(webhook(entry, config, client));
    // Another webhook may add a container or a toleration after us.
    placing.back()["reinvocationPolicy"] = "IfNeeded";
  }
  Json judging = Json::array();
  for (const Entry& entry : kJudging) judging.push_back(webhook(entry, config, client));
  return Json::array({configuration("MutatingWebhookConfiguration", std::move(placing)),
                      configuration("ValidatingWebhookConfiguration", std::move(judging))});
}

}  // namespace winadmit::server
