// What both the webhook configurations and the admission policies select: which requests, in which
// namespaces.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "config/config.hpp"
#include "export/cel/match_conditions.hpp"
#include "export/namespace_labels.hpp"

namespace winadmit::server {

/// The label by which namespaces are left out, and the first release whose API server sets it
/// (KEP-2161).
inline constexpr std::string_view kNamespaceNameLabel = "kubernetes.io/metadata.name";
inline constexpr Version kNamespaceNameVersion{1, 21};

/// {"name": ..., "expression": ...}
nlohmann::ordered_json to_json(const MatchCondition& condition);

enum class Resources {
  pods,
  pods_and_subresources,
  daemon_sets,  // that are placed
  workloads,
  pods_and_daemon_sets,
  pods_with_subresources_and_workloads,
};

/// Which namespaces are selected by their default OS: that of the label, else of the configuration.
enum class DefaultOs {
  windows,
  not_windows,
  linux,
  audited,  // those that would have the default OS of the configuration, if it were not audited
};

/// The rules of a webhook, or the resourceRules of a policy. Empty for `daemon_sets` if the
/// configuration does not place them: then nothing has to be sent.
nlohmann::ordered_json rules_for(Resources resources, const Config& config);

/// Which namespaces are selected. A value of a label without a meaning counts as the default.
struct NamespaceChoice {
  std::optional<Mode> mode = {};  // without one: the modes in which pods are placed
  DefaultOs default_os = DefaultOs::not_windows;
  NamespaceModes modes = {};
  std::string_view excluded = {};  // one more than kube-system and those of the configuration
};

nlohmann::ordered_json namespace_selector(const NamespaceChoice& choice, const Config& config);

}  // namespace winadmit::server
