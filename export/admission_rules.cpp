#include "export/admission_rules.hpp"

#include <map>
#include <vector>

#include "policy/pod/pod_kind.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;

Json rule(std::string_view group, std::vector<std::string_view> resources) {
  return {{"apiGroups", {group}},
          {"apiVersions", {"v1"}},
          {"operations", {"CREATE", "UPDATE"}},
          {"resources", resources},
          {"scope", "Namespaced"}};
}

Json requirement(std::string_view key, std::string_view op, std::vector<std::string_view> values) {
  return {{"key", key}, {"operator", op}, {"values", values}};
}

std::vector<Mode> modes_of(const NamespaceChoice& choice) {
  if (choice.mode) return {*choice.mode};
  // Placing in mode warn, too: the warnings are then about the pod that runs.
  if (choice.default_os != DefaultOs::audited) return {Mode::enforce, Mode::warn};
  return {Mode::enforce, Mode::warn, Mode::audit};
}

Json mode_requirement(const NamespaceChoice& choice) {
  const ModeRequirement required = require_modes(modes_of(choice), choice.modes.default_mode);
  return requirement(kModeLabel, required.is_in ? "In" : "NotIn", required.values);
}

/// The namespaces whose label has one of the values. A default OS of the configuration is that of
/// every value that is not the name of another.
Json default_os_requirement(DefaultOs selected, const Config& config) {
  const Os default_os = config.enforced_default_os();
  switch (selected) {
    case DefaultOs::windows:
      return default_os == Os::windows ? requirement(kDefaultOsLabel, "NotIn", {"linux", "none"})
                                       : requirement(kDefaultOsLabel, "In", {"windows"});
    case DefaultOs::not_windows:
      return default_os == Os::windows ? requirement(kDefaultOsLabel, "In", {"linux", "none"})
                                       : requirement(kDefaultOsLabel, "NotIn", {"windows"});
    case DefaultOs::linux:
      return default_os == Os::linux ? requirement(kDefaultOsLabel, "NotIn", {"windows", "none"})
                                     : requirement(kDefaultOsLabel, "In", {"linux"});
    case DefaultOs::audited:
      break;
  }
  return requirement(kDefaultOsLabel, "NotIn", {"windows", "linux", "none"});
}

/// A rule for each API group with workloads.
Json workload_rules() {
  std::map<std::string_view, std::vector<std::string_view>> resources_of;
  for (const PodKind& kind : pod_kinds()) {
    if (!kind.is_pod()) resources_of[kind.group].push_back(kind.resource);
  }
  Json rules = Json::array();
  for (const auto& [group, resources] : resources_of) rules.push_back(rule(group, resources));
  return rules;
}

}  // namespace

Json rules_for(Resources resources, const Config& config) {
  const Json pod_rule = rule("", {"pods", "pods/ephemeralcontainers", "pods/resize"});
  const Json placed_daemon_sets =
      config.policy.place_daemon_sets ? Json::array({rule("apps", {"daemonsets"})}) : Json::array();
  switch (resources) {
    case Resources::pods:
      return Json::array({rule("", {"pods"})});
    case Resources::pods_and_subresources:
      return Json::array({pod_rule});
    case Resources::daemon_sets:
      return placed_daemon_sets;
    case Resources::pods_and_daemon_sets: {
      Json all = placed_daemon_sets;
      all.insert(all.begin(), rule("", {"pods"}));
      return all;
    }
    case Resources::pods_with_subresources_and_workloads: {
      Json all = workload_rules();
      all.insert(all.begin(), pod_rule);
      return all;
    }
    case Resources::workloads:
      break;
  }
  return workload_rules();
}

Json to_json(const MatchCondition& condition) {
  return {{"name", condition.name}, {"expression", condition.expression}};
}

Json namespace_selector(const NamespaceChoice& choice, const Config& config) {
  std::vector<std::string_view> excluded = {kSystemNamespace};
  if (!choice.excluded.empty() && choice.excluded != kSystemNamespace) {
    excluded.push_back(choice.excluded);
  }
  excluded.insert(excluded.end(), config.exempt.namespaces.begin(), config.exempt.namespaces.end());
  Json all = Json::array({requirement(kNamespaceNameLabel, "NotIn", excluded)});
  all.push_back(mode_requirement(choice));
  all.push_back(default_os_requirement(choice.default_os, config));
  if (choice.modes.opt_in) all.push_back({{"key", kModeLabel}, {"operator", "Exists"}});
  return {{"matchExpressions", all}};
}

}  // namespace winadmit::server
