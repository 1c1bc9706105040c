#include "cli/judge/namespace_check.hpp"

#include "policy/json/text.hpp"
#include "policy/judge/advice.hpp"
#include "server/config/namespace_labels.hpp"

namespace winadmit::cli {

std::vector<ManifestFinding> find_label_faults(const manifests::Manifest& manifest,
                                               const ObjectName& name, Action action) {
  static const nlohmann::json::json_pointer kLabels("/metadata/labels");
  if (action == Action::allow || !manifest.object.contains(kLabels)) return {};
  const nlohmann::json& labels = manifest.object.at(kLabels);
  if (!labels.is_object()) return {};
  std::vector<ManifestFinding> findings;
  for (const auto& [key, value] : labels.items()) {
    if (!value.is_string()) continue;  // the API server refuses it
    const auto fault = server::find_label_fault(key, value.get<std::string>());
    if (fault.reason.empty()) continue;
    const std::string pointer = "/metadata/labels/" + escape_pointer_token(key);
    findings.push_back({.location = manifests::location_of(manifest, pointer),
                        .object = name,
                        .is_denial = action == Action::deny,
                        .field = "metadata.labels[" + key + ']',
                        .pointer = pointer,
                        .message = fault.reason + "; " + fault.instead,
                        .instead = fault.instead,
                        .rule = std::string(kAdviceNamespaceLabel)});
  }
  return findings;
}

}  // namespace winadmit::cli
