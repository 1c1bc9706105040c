#include "cli/judge/patch_sign.hpp"

#include <string_view>

namespace winadmit::cli {
namespace {

/// Of k8s.io/apimachinery/pkg/util/strategicpatch.
bool is_directive(std::string_view key) {
  return key == "$patch" || key == "$retainKeys" || key.starts_with("$setElementOrder/") ||
         key.starts_with("$deleteFromPrimitiveList/");
}

std::string_view find_directive(JsonObject object);

std::string_view find_directive(JsonValue value) {
  if (value.is_object()) return find_directive(value.get_object().value_unsafe());
  if (!value.is_array()) return {};
  const simdjson::dom::array entries = value.get_array().value_unsafe();
  for (const JsonValue entry : entries) {
    const std::string_view found = find_directive(entry);
    if (!found.empty()) return found;
  }
  return {};
}

/// The first one anywhere in the object, or "".
std::string_view find_directive(JsonObject object) {
  for (const auto [key, value] : object) {
    const std::string_view found = is_directive(key) ? key : find_directive(value);
    if (!found.empty()) return found;
  }
  return {};
}

bool is_absent(JsonObject object, std::string_view pointer) {
  JsonValue value;
  return object.at_pointer(pointer).get(value) != simdjson::SUCCESS || value.is_null();
}

/// Every complete workload of the group `apps` has both: labels, and before apps/v1 they are the
/// default of the selector (k8s.io/kubernetes pkg/apis/apps/validation).
bool has_neither_selector_nor_labels(const PodKind& kind, JsonObject object) {
  return kind.group == "apps" && is_absent(object, "/spec/selector") &&
         is_absent(object, "/spec/template/metadata/labels");
}

}  // namespace

std::string find_patch_sign(const Pod& pod, JsonObject object) {
  if (!pod.containers.front() || pod.containers.front()->size() == 0) return "it has no containers";
  bool has_images = true;
  for_each_container(pod, [&](const Container& container) {
    JsonValue image;
    has_images &=
        container.object.at_key("image").get(image) == simdjson::SUCCESS && !image.is_null();
  });
  if (!has_images) return "it has a container without image";
  const std::string_view directive = find_directive(object);
  if (!directive.empty()) return "it has " + std::string(directive);
  return has_neither_selector_nor_labels(*pod.kind, object) ? "it has no selector" : "";
}

bool is_patch_without_pod(const PodKind& kind, JsonObject object) {
  std::string spec;
  for (const std::string_view key : kind.template_path) spec += '/' + std::string(key);
  spec += "/spec";
  return is_absent(object, spec) &&
         (has_neither_selector_nor_labels(kind, object) || !find_directive(object).empty());
}

}  // namespace winadmit::cli
