#include "cli/judge/patch_sign.hpp"

#include <initializer_list>
#include <span>
#include <string_view>
#include <vector>

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

using Path = std::span<const std::string_view>;

/// Whether the object has no value at the path, which is not empty. A value of a wrong type on the
/// way is no absence: it is judged.
bool is_absent(JsonObject object, Path path) {
  JsonValue value;
  if (object.at_key(path.front()).get(value) != simdjson::SUCCESS || value.is_null()) return true;
  return path.size() > 1 && value.is_object() &&
         is_absent(value.get_object().value_unsafe(), path.subspan(1));
}

bool is_absent(JsonObject object, std::initializer_list<std::string_view> path) {
  return is_absent(object, Path(path.begin(), path.size()));
}

/// Every complete workload of the group `apps` has both: labels, and before apps/v1 they are the
/// default of the selector (k8s.io/kubernetes pkg/apis/apps/validation).
bool has_neither_selector_nor_labels(const PodKind& kind, JsonObject object) {
  return kind.group == "apps" && is_absent(object, {"spec", "selector"}) &&
         is_absent(object, {"spec", "template", "metadata", "labels"});
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

bool is_without_pod(const PodKind& kind, JsonObject object) {
  std::vector<std::string_view> spec(kind.template_path.begin(), kind.template_path.end());
  spec.push_back("spec");
  return is_absent(object, Path(spec));
}

}  // namespace winadmit::cli
