#include "cli/fix/edit_objects.hpp"

#include <utility>

#include "cli/judge/apply_patch.hpp"
#include "manifests/edit.hpp"
#include "manifests/to_json.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// What the document is to be read as afterwards.
std::vector<json> wanted(const manifests::Document& document,
                         const std::vector<PatchedObject>& objects,
                         const manifests::Limits& limits) {
  std::vector<json> roots;
  for (const manifests::NodeId root : document.roots()) {
    json value = manifests::to_json(document, root, limits);
    for (const auto& [manifest, patch] : objects) {
      if (manifest.root == root) apply_patch(patch, value[json::json_pointer(manifest.pointer)]);
    }
    roots.push_back(std::move(value));
  }
  return roots;
}

}  // namespace

std::vector<manifests::TextEdit> edit_objects(const manifests::Document& document,
                                              const std::vector<PatchedObject>& objects,
                                              const manifests::Limits& limits) {
  std::vector<manifests::FieldChange> changes;
  for (const auto& [manifest, patch] : objects) {
    for (const PatchOperation& each : patch) {
      manifests::FieldChange change{.root = manifest.root, .pointer = manifest.pointer + each.path};
      if (!each.value.empty()) change.value = nlohmann::ordered_json::parse(each.value);
      changes.push_back(std::move(change));
    }
  }
  if (changes.empty()) return {};
  return manifests::edit(document, changes, wanted(document, objects, limits), limits);
}

}  // namespace winadmit::cli
