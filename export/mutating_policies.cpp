#include <fmt/format.h>

#include <array>
#include <optional>

#include "export/cel/placement_cel.hpp"
#include "export/cel/pod_view.hpp"
#include "export/policy_parts.hpp"

namespace winadmit::server {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kPlacement = "winadmit-placement";

// For the namespaces of each default OS.
constexpr std::array kPlacedVariants = {
    Variant{"", DefaultOs::not_windows, Os::none},
    Variant{"-default-windows", DefaultOs::windows, Os::windows},
    Variant{"-default-linux", DefaultOs::linux, Os::linux},
};

std::string name_of(const Variant& variant) {
  return fmt::format("{}{}", kPlacement, variant.suffix);
}

Json mutating_policy(std::string_view api_version, const Variant& variant, const Config& config) {
  std::vector<CelVariable> variables = pod_variables(config.policy, variant.default_os);
  append(variables, placement_variables(config.policy, variant.default_os));
  return policy_object(
      api_version, "MutatingAdmissionPolicy", name_of(variant),
      {{"failurePolicy", "Ignore"},
       {"reinvocationPolicy", "IfNeeded"},
       {"matchConstraints",
        {{"resourceRules", rules_for(Resources::pods_and_daemon_sets, config)}}},
       {"matchConditions", match_conditions_of(changes_something(), variant, config)},
       {"variables", to_json(variables)},
       {"mutations",
        Json::array({{{"patchType", "JSONPatch"},
                      {"jsonPatch", {{"expression", placement_patch(config.policy)}}}}})}});
}

Json mutating_binding(std::string_view api_version, const Variant& variant, const Config& config,
                      const PolicyExport& options) {
  return policy_object(
      api_version, "MutatingAdmissionPolicyBinding", name_of(variant),
      {{"policyName", name_of(variant)},
       {"matchResources", match_resources(std::nullopt, variant.namespaces, config, options)}});
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
  std::vector<Json> all;
  for (const Variant& each : kPlacedVariants) {
    all.push_back(mutating_policy(api.api_version, each, config));
    all.push_back(mutating_binding(api.api_version, each, config, options));
  }
  return all;
}

}  // namespace winadmit::server
