// What the policies of an export have in common: their variants and their conditions.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "export/admission_policies.hpp"
#include "export/admission_rules.hpp"
#include "export/cel/cel_text.hpp"
#include "export/cel/match_conditions.hpp"
#include "policy/pod/os.hpp"

namespace winadmit::server {

/// A policy for the namespaces of one default OS. matchConditions cannot read the labels of the
/// namespace, and parameters (paramKind) are not read again once the last binding of any policy
/// with parameters of that kind was deleted (github.com/kubernetes/kubernetes/issues/130887).
struct Variant {
  std::string_view suffix;  // of the names of its objects
  DefaultOs namespaces;
  Os default_os;
};

/// What the policies are made from, as JSON text for the annotation: the chart compares it with its
/// values.
std::string exported_from(const Config& config, const PolicyExport& options);

/// `changes`, that the pod may be for Windows, and that nothing exempts it.
nlohmann::ordered_json match_conditions_of(const MatchCondition& changes, const Variant& variant,
                                           const Config& config);

nlohmann::ordered_json to_json(const std::vector<CelVariable>& variables);

void append(std::vector<CelVariable>& to, std::vector<CelVariable> more);

/// An object of the group admissionregistration.k8s.io.
nlohmann::ordered_json policy_object(std::string_view version, std::string_view kind,
                                     const std::string& name, nlohmann::ordered_json spec);

/// Without a mode: the namespaces in which pods are placed.
nlohmann::ordered_json match_resources(std::optional<Mode> mode, DefaultOs default_os,
                                       const Config& config, const PolicyExport& options);

/// The policies that validate, each with its bindings.
std::vector<nlohmann::ordered_json> validating_policies(const Config& config,
                                                        const PolicyExport& options);

/// The policy that places, with its bindings.
std::vector<nlohmann::ordered_json> mutating_policies(const MutatingPolicyApi& api,
                                                      const Config& config,
                                                      const PolicyExport& options);

}  // namespace winadmit::server
