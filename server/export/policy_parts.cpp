#include "server/export/policy_parts.hpp"

#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "policy/cel/pod_view.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kGroup = "admissionregistration.k8s.io/";

constexpr std::string_view kExemptUsers = "exemptUsers";
constexpr std::string_view kExemptGroups = "exemptGroups";
constexpr std::string_view kExemptRuntimeClasses = "exemptRuntimeClasses";

/// Who and what is admitted without a check: the twin of is_exempt() and is_mirror_pod().
MatchCondition not_exempt() {
  return {"not-exempt",
          fill("!(request.userInfo.username in $users) &&\n"
               "!request.userInfo.?groups.orValue([]).exists(group, group in $groups) &&\n"
               "!([dyn(object)].map(held, $template)[0].?spec.?runtimeClassName.orValue('') in\n"
               "  $classes.filter(name, name != ''))",
               {{"$users", lines_of_param(kExemptUsers)},
                {"$groups", lines_of_param(kExemptGroups)},
                {"$template", template_of("held")},
                {"$classes", lines_of_param(kExemptRuntimeClasses)}})};
}

MatchCondition not_mirror_pod() {
  return {"not-mirror-pod",
          "!(request.kind.kind == 'Pod' &&\n"
          "  'system:nodes' in request.userInfo.?groups.orValue([]) &&\n"
          "  'kubernetes.io/config.mirror' in dyn(object).metadata.?annotations.orValue({}) &&\n"
          "  dyn(object).spec.?nodeName.orValue('') != '')"};
}

}  // namespace

Json config_map(const Parameters& parameters, const Config& config, const PolicyExport& options) {
  const auto lines = [](const std::vector<std::string>& texts) {
    return fmt::format("{}", fmt::join(texts, "\n"));
  };
  Json data;
  data[kDefaultOsParam] = parameters.default_os;
  data[kWindowsRuntimeClassesParam] = lines(config.policy.target.windows_runtime_classes);
  data[kExemptUsers] = lines(config.exempt.users);
  data[kExemptGroups] = lines(config.exempt.groups);
  data[kExemptRuntimeClasses] = lines(config.exempt.runtime_classes);
  return {{"apiVersion", "v1"},
          {"kind", "ConfigMap"},
          {"metadata", {{"name", parameters.name}, {"namespace", options.name_space}}},
          {"data", std::move(data)}};
}

Json param_ref(const Parameters& parameters, const PolicyExport& options) {
  // Deny would refuse every pod of the cluster, also those for Linux, without the ConfigMap.
  return {{"name", parameters.name},
          {"namespace", options.name_space},
          {"parameterNotFoundAction", "Allow"}};
}

Json param_kind() { return {{"apiVersion", "v1"}, {"kind", "ConfigMap"}}; }

Json match_conditions_of(const MatchCondition& changes, const Config& config) {
  return Json::array({to_json(changes), to_json(may_be_windows_by_params(config.policy)),
                      to_json(not_exempt()), to_json(not_mirror_pod())});
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

Json match_resources(Modes modes, DefaultOs default_os, const Config& config,
                     const PolicyExport& options) {
  return {{"namespaceSelector", namespace_selector({.modes = modes,
                                                    .default_os = default_os,
                                                    .default_mode = options.default_mode,
                                                    .opt_in = options.opt_in,
                                                    .excluded = {}},
                                                   config)}};
}

}  // namespace winadmit::server
