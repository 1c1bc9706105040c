// What the policies of an export have in common: their parameters and their conditions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "policy/cel/cel_text.hpp"
#include "policy/cel/match_conditions.hpp"
#include "server/export/admission_policies.hpp"
#include "server/export/admission_rules.hpp"

namespace winadmit::server {

/// A ConfigMap that bindings refer to.
struct Parameters {
  std::string_view name;
  std::string_view default_os;
};
inline constexpr Parameters kParameters{"winadmit-policy", ""};
inline constexpr Parameters kDefaultWindows{"winadmit-policy-default-windows", "windows"};
inline constexpr Parameters kDefaultLinux{"winadmit-policy-default-linux", "linux"};

nlohmann::ordered_json config_map(const Parameters& parameters, const Config& config,
                                  const PolicyExport& options);

nlohmann::ordered_json param_kind();
nlohmann::ordered_json param_ref(const Parameters& parameters, const PolicyExport& options);

/// `changes`, that the pod may be for Windows, and that nothing exempts it.
nlohmann::ordered_json match_conditions_of(const MatchCondition& changes, const Config& config);

nlohmann::ordered_json to_json(const std::vector<CelVariable>& variables);

void append(std::vector<CelVariable>& to, std::vector<CelVariable> more);

/// An object of the group admissionregistration.k8s.io.
nlohmann::ordered_json policy_object(std::string_view version, std::string_view kind,
                                     const std::string& name, nlohmann::ordered_json spec);

nlohmann::ordered_json match_resources(Modes modes, DefaultOs default_os, const Config& config,
                                       const PolicyExport& options);

/// The policies that validate, each with its bindings.
std::vector<nlohmann::ordered_json> validating_policies(const Config& config,
                                                        const PolicyExport& options);

/// The policy that places, with its bindings.
std::vector<nlohmann::ordered_json> mutating_policies(const MutatingPolicyApi& api,
                                                      const Config& config,
                                                      const PolicyExport& options);

}  // namespace winadmit::server
