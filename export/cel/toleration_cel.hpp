// Tolerations in CEL, and as the Kubernetes API has them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "policy/judge/settings.hpp"
#include "policy/pod/toleration.hpp"

namespace winadmit {

/// Whether the list of tolerations `tolerations` has one of the taint `taint` by name.
std::string tolerates_by_name(std::string_view tolerations, std::string_view taint);

/// Whether the list `tolerations` tolerates every taint that `wanted` is for.
std::string tolerates(std::string_view tolerations, std::string_view wanted);

/// The taints by which a pod that tolerates one by name is for a build, as identifies_build() says:
/// {"BUILD":[...]}.
nlohmann::ordered_json own_taints(const Settings& settings);

/// As the Kubernetes API has them.
nlohmann::ordered_json to_json(const Toleration& toleration);
nlohmann::ordered_json to_json(const std::vector<Toleration>& tolerations);
nlohmann::ordered_json to_json(const std::vector<const Toleration*>& tolerations);

}  // namespace winadmit
