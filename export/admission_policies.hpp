// The same policy without a webhook: ValidatingAdmissionPolicies and a MutatingAdmissionPolicy,
// which the API server evaluates itself. `winadmit export policy` prints them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/config.hpp"
#include "export/namespace_labels.hpp"

namespace winadmit::server {

struct PolicyExport {
  NamespaceModes modes = {};
  bool validating = true;
  bool mutating = true;
};

/// The first release with ValidatingAdmissionPolicy in v1 (KEP-3488).
inline constexpr Version kValidatingPolicyVersion{1, 30};

/// The first release with MutatingAdmissionPolicy, in v1alpha1 (KEP-3962).
inline constexpr Version kMutatingPolicyVersion{1, 32};

/// MutatingAdmissionPolicy in a release.
struct MutatingPolicyApi {
  std::string_view api_version;
  std::string_view turn_on;  // what the API server must be started with; empty: nothing
};

/// The annotation of every object: the settings from which it is made, and the SHA-256 of the
/// other keys of the configuration, as sorted JSON.
inline constexpr std::string_view kExportedFromAnnotation = "winadmit.dev/exported-from";

/// Nothing for a release without it.
std::optional<MutatingPolicyApi> mutating_policy_api(Version version);

/// Policies and their bindings. The release must be kValidatingPolicyVersion or later; in one
/// without MutatingAdmissionPolicy there is none of these.
std::vector<nlohmann::ordered_json> admission_policies(const Config& config,
                                                       const PolicyExport& options);

/// What the policies do not say, or say in another way.
struct PolicyGap {
  std::string what;  // the id of a rule, a key of the configuration or a part of the policy
  std::string why;   // a clause
};
std::vector<PolicyGap> policy_gaps(const Config& config);

}  // namespace winadmit::server
