#include "cli/fix/change_text.hpp"

#include <algorithm>

#include "text/json_pointer.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

/// Whether a key is the name of a field of the Kubernetes API, not one of a map.
bool is_field_name(const std::string& key) { return std::ranges::all_of(key, is_alphanumeric); }

/// "spec.containers[0].image" for a JSON Pointer, or "metadata.annotations[a.b/c]". What an entry
/// is appended to stands for it.
std::string field_text(const json& object, const std::string& pointer) {
  std::string field;
  const json* at = &object;
  for (const std::string& token : pointer_tokens(pointer)) {
    if (token == "-") break;
    if (at != nullptr && at->is_array()) {
      field += '[' + token + ']';
      const std::size_t index = std::stoul(token);
      at = index < at->size() ? &(*at)[index] : nullptr;
      continue;
    }
    if (is_field_name(token)) {
      if (!field.empty()) field += '.';
      field += token;
    } else {
      field += '[' + token + ']';
    }
    const bool has_member = at != nullptr && at->is_object() && at->contains(token);
    at = has_member ? &(*at)[token] : nullptr;
  }
  return field;
}

std::string flow_text(const ordered_json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_structured()) return value.dump();
  std::string text;
  for (const auto& [key, member] : value.items()) {
    if (!text.empty()) text += ", ";
    if (value.is_object()) text += key + ": ";
    text += member.is_structured() ? '{' + flow_text(member) + '}' : flow_text(member);
  }
  return text;
}

}  // namespace

std::string change_text(const manifests::Location& at, const json& object,
                        const PatchOperation& operation) {
  std::string text = to_string(at) + ": ";
  if (operation.value.empty()) {
    text += "removed " + field_text(object, operation.path);
    if (!operation.rule.empty()) text += " (" + std::string(operation.rule) + ')';
    return text;
  }
  const auto value = ordered_json::parse(operation.value);
  json::json_pointer pointer(operation.path);
  if (value.is_structured()) {
    const bool is_entry = operation.path.ends_with("/-");
    return text + "added " + field_text(object, operation.path) + ' ' +
           (is_entry ? '{' + flow_text(value) + '}' : flow_text(value));
  }
  const std::string member = pointer.back();
  pointer.pop_back();
  return text + "added " + field_text(object, pointer.to_string()) + ' ' + member + ": " +
         flow_text(value);
}

}  // namespace winadmit::cli
