#include "cli/judge/namespace_check.hpp"

#include "policy/json/text.hpp"
#include "policy/judge/advice.hpp"
#include "server/export/namespace_labels.hpp"

namespace winadmit::cli {

std::vector<ManifestFinding> find_label_faults(const manifests::Manifest& manifest,
                                               const ObjectName& name, Action action) {
  JsonObject labels;
  if (action == Action::allow ||
      manifest.object["metadata"]["labels"].get(labels) != simdjson::SUCCESS) {
    return {};
  }
  std::vector<ManifestFinding> findings;
  for (const auto& [label, value] : labels) {
    const std::string key(label);
    std::string_view text;
    if (value.get(text) != simdjson::SUCCESS) continue;  // the API server refuses it
    const auto fault = server::find_label_fault(key, text);
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
