#include "export/policy_parts.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "admission/review.hpp"
#include "bytes/digest.hpp"
#include "export/cel/pod_view.hpp"
#include "policy/pod/annotations.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kGroup = "admissionregistration.k8s.io/";

/// Users, groups and RuntimeClasses that are admitted without a check. Exempt namespaces are in the
/// namespaceSelector.
MatchCondition not_exempt(const Exemptions& exempt) {
  return {"not-exempt",
          fill("!(request.userInfo.username in $users) &&\n"
               "!request.userInfo.?groups.orValue([]).exists(group, group in $groups) &&\n"
               "!([dyn(object)].map(held, $template)[0].?spec.?runtimeClassName.orValue('') in\n"
               "  $classes)",
               {{"$users", cel_list(exempt.users)},
                {"$groups", cel_list(exempt.groups)},
                {"$template", template_of("held")},
                {"$classes", cel_list(exempt.runtime_classes)}})};
}

/// The twin of is_mirror_pod().
MatchCondition not_mirror_pod() {
  return {"not-mirror-pod",
          fill("!(request.kind.kind == 'Pod' &&\n"
               "  $nodes in request.userInfo.?groups.orValue([]) &&\n"
               "  $mirror in dyn(object).metadata.?annotations.orValue({}) &&\n"
               "  dyn(object).spec.?nodeName.orValue('') != '')",
               {{"$nodes", cel_string(kNodesGroup)}, {"$mirror", cel_string(kMirrorAnnotation)}})};
}

/// The SHA-256 of the configuration without the keys that exported_from() names, as the chart makes
/// it of its value `config`.
std::string hash_of_other_keys(const Config& config) {
  nlohmann::json keys = nlohmann::json::parse(config.file);
  if (!keys.is_object()) keys = nlohmann::json::object();
  for (const char* named : {"platform", "kubernetesVersion", "defaultOs", "defaultOsMode"})
    keys.erase(named);
  if (const auto exempt = keys.find("exempt"); exempt != keys.end() && exempt->is_object()) {
    exempt->erase("namespaces");
    if (exempt->empty()) keys.erase(exempt);
  }
  return sha256(keys.dump());
}

}  // namespace

std::string exported_from(const Config& config, const PolicyExport& options) {
  std::set<std::string> exempt(config.exempt.namespaces.begin(), config.exempt.namespaces.end());
  exempt.emplace(kSystemNamespace);
  const Os default_os = config.enforced_default_os();
  return nlohmann::json({{"defaultOs", default_os == Os::none ? "" : to_string(default_os)},
                         {"defaultMode", to_string(options.modes.default_mode)},
                         {"optIn", options.modes.opt_in},
                         {"platform", config.platform->id},
                         {"exemptNamespaces", exempt},
                         {"kubernetesVersion", to_string(config.policy.kubernetes)},
                         {"config", hash_of_other_keys(config)}})
      .dump();
}

Json match_conditions_of(const MatchCondition& changes, const Variant& variant,
                         const Config& config) {
  Json all = Json::array({to_json(changes)});
  constexpr bool kInWorkloads = true;
  if (variant.default_os == Os::none) {
    all.push_back(to_json(may_be_windows(config.policy, kInWorkloads, Engine::policy)));
  } else if (variant.default_os == Os::linux) {
    all.push_back(to_json(selects_no_os(kInWorkloads)));
  }
  all.push_back(to_json(not_exempt(config.exempt)));
  all.push_back(to_json(not_mirror_pod()));
  return all;
}

Json to_json(const std::vector<CelVariable>& variables) {
  Json all = Json::array();
  for (const CelVariable& each : variables) {
    all.push_back({{"name", each.name}, {"expression", each.expression}});
  }
  return all;
}

void append(std::vector<CelVariable>& to, std::vector<CelVariable> more) {
  std::ranges::move(more, std::back_inserter(to));
}

Json policy_object(std::string_view version, std::string_view kind, const std::string& name,
                   Json spec) {
  return {{"apiVersion", std::string(kGroup) + std::string(version)},
          {"kind", kind},
          {"metadata", {{"name", name}}},
          {"spec", std::move(spec)}};
}

Json match_resources(std::optional<Mode> mode, DefaultOs default_os, const Config& config,
                     const PolicyExport& options) {
  return {{"namespaceSelector",
           namespace_selector({.mode = mode, .default_os = default_os, .modes = options.modes},
                              config)}};
}

}  // namespace winadmit::server
