#include <fmt/format.h>

#include <array>

#include "policy/cel/placement_cel.hpp"
#include "policy/cel/pod_view.hpp"
#include "server/export/policy_parts.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPlacement = "winadmit-placement";

Json mutating_policy(std::string_view api_version, const Config& config) {
  std::vector<CelVariable> variables = pod_variables(config.policy);
  append(variables, placement_variables(config.policy));
  return policy_object(
      api_version, "MutatingAdmissionPolicy", std::string(kPlacement),
      {{"failurePolicy", "Ignore"},
       {"reinvocationPolicy", "IfNeeded"},
       {"paramKind", param_kind()},
       {"matchConstraints",
        {{"resourceRules", rules_for(Resources::pods_and_daemon_sets, config)}}},
       {"matchConditions", match_conditions_of(changes_something(), config)},
       {"variables", to_json(variables)},
       {"mutations",
        Json::array({{{"patchType", "JSONPatch"},
                      {"jsonPatch", {{"expression", placement_patch(config.policy)}}}}})}});
}

struct MutatingBinding {
  std::string_view suffix;
  DefaultOs default_os;
  const Parameters& parameters;
};
constexpr std::array kMutatingBindings = {
    MutatingBinding{"", DefaultOs::none, kParameters},
    MutatingBinding{"-default-windows", DefaultOs::windows, kDefaultWindows},
    MutatingBinding{"-default-linux", DefaultOs::linux, kDefaultLinux},
};

Json mutating_binding(std::string_view api_version, const MutatingBinding& binding,
                      const Config& config, const PolicyExport& options) {
  return policy_object(
      api_version, "MutatingAdmissionPolicyBinding",
      fmt::format("{}{}", kPlacement, binding.suffix),
      {{"policyName", kPlacement},
       {"paramRef", param_ref(binding.parameters, options)},
       {"matchResources", match_resources(Modes::placing, binding.default_os, config, options)}});
}

}  // namespace

std::optional<MutatingPolicyApi> mutating_policy_api(Version version) {
  if (version < kMutatingPolicyVersion) return std::nullopt;
  if (version < Version{1, 34}) {
    return MutatingPolicyApi{"v1alpha1",
                             "--feature-gates=MutatingAdmissionPolicy=true "
                             "--runtime-config=admissionregistration.k8s.io/v1alpha1=true"};
  }
  if (version < Version{1, 36}) {
    return MutatingPolicyApi{"v1beta1",
                             "--feature-gates=MutatingAdmissionPolicy=true "
                             "--runtime-config=admissionregistration.k8s.io/v1beta1=true"};
  }
  return MutatingPolicyApi{"v1", ""};
}

std::vector<Json> mutating_policies(const MutatingPolicyApi& api, const Config& config,
                                    const PolicyExport& options) {
  std::vector<Json> all = {mutating_policy(api.api_version, config)};
  for (const MutatingBinding& each : kMutatingBindings) {
    all.push_back(mutating_binding(api.api_version, each, config, options));
  }
  return all;
}

}  // namespace winadmit::server
