#include "cli/judge/namespace_check.hpp"

#include "policy/json/text.hpp"
#include "policy/judge/advice.hpp"
#include "server/export/namespace_labels.hpp"

namespace winadmit::cli {
namespace {

/// What is wrong with a label of a namespace. YAML reads off without quotes as a boolean.
server::LabelFault find_fault(const std::string& key, JsonValue value) {
  std::string_view text;
  // The API server reads null as an empty string.
  if (value.get(text) == simdjson::SUCCESS || value.is_null())
    return server::find_label_fault(key, text);
  if (!key.starts_with(server::kLabelPrefix)) return {};
  return {.reason = "must be a string, not " + std::string(type_name(value)) +
                    ": the API server refuses the namespace",
          .instead = "write the value in quotes"};
}

}  // namespace

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
    const server::LabelFault fault = find_fault(key, value);
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
