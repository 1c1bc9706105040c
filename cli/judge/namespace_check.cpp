#include "cli/judge/namespace_check.hpp"

#include "export/namespace_labels.hpp"
#include "manifests/location.hpp"
#include "policy/judge/advice_kinds.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::cli {
namespace {

/// The time to find a label in a file is in proportion to the number of labels.
constexpr std::size_t kMaxFindings = 100;

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

void add_label_faults(const manifests::Manifest& manifest, Action action, Verdict& verdict) {
  JsonObject labels;
  if (action == Action::allow ||
      manifest.object["metadata"]["labels"].get(labels) != simdjson::SUCCESS) {
    return;
  }
  for (const auto& [label, value] : labels) {
    const std::string key(label);
    const server::LabelFault fault = find_fault(key, value);
    if (fault.reason.empty()) continue;
    if (verdict.findings.size() == kMaxFindings) {
      ++verdict.left_out;
      continue;
    }
    const std::string pointer = "/metadata/labels/" + escape_pointer_token(key);
    verdict.findings.push_back({.location = manifests::location_of(manifest, pointer),
                                .object = verdict.object,
                                .is_denial = action == Action::deny,
                                .field = "metadata.labels[" + key + ']',
                                .pointer = pointer,
                                .reason = fault.reason,
                                .instead = fault.instead,
                                .rule = std::string(kAdviceNamespaceLabel)});
  }
}

}  // namespace winadmit::cli
