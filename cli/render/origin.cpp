#include "cli/render/origin.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

#include "bytes/files.hpp"
#include "cli/render/kustomization.hpp"
#include "config/config_reader.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using server::ConfigNode;

// sigs.k8s.io/kustomize/kyaml/kio/kioutil and api/internal/utils
constexpr const char* kOrigin = "config.kubernetes.io/origin";
constexpr const char* kTransformations = "alpha.config.kubernetes.io/transformations";

/// As a user would name it.
std::string shown(const fs::path& file, bool is_absolute) {
  return is_absolute ? file.string() : file.lexically_proximate(fs::current_path()).string();
}

/// Whether a strategic merge patch has the field. It may have the entries of lists in another
/// order.
bool has_field(const ConfigNode& patch, std::span<const std::string> path) {
  if (path.empty()) return true;
  if (patch.is_list()) {
    return std::ranges::any_of(
        patch.children(), [&](const ConfigNode& each) { return has_field(each, path.subspan(1)); });
  }
  const std::optional<ConfigNode> value =
      patch.is_mapping() ? patch.member(path.front()) : std::nullopt;
  return value && has_field(*value, path.subspan(1));
}

/// Whether an operation of JSON Patch is about the field, or what it is in.
bool changes_field(const ConfigNode& operations, const std::string& pointer) {
  return std::ranges::any_of(operations.children(), [&](const ConfigNode& each) {
    const std::string path = text_of(each, "path");
    return !path.empty() && (pointer + '/').starts_with(path + '/');
  });
}

bool is_for(const ObjectName& object, const KustomizePatch& patch, const ConfigNode& text) {
  if (patch.has_target) return patch.target_kind.empty() || patch.target_kind == object.kind;
  const auto metadata = text.is_mapping() ? text.member("metadata") : std::nullopt;
  // A prefix or a suffix may be added to the name.
  const std::string name = metadata ? text_of(*metadata, "name") : std::string();
  return text_of(text, "kind") == object.kind && object.name.find(name) != std::string::npos;
}

enum class Relation { none, of_object, of_field };

Relation relation_of(const KustomizePatch& patch, const ManifestFinding& finding) {
  try {
    server::ConfigReader reader(patch.file.string());
    const auto text = reader.load(patch.text.empty() ? read_file(patch.file) : patch.text);
    if (!text || !is_for(finding.object, patch, *text)) return Relation::none;
    const bool has = text->is_list() ? changes_field(*text, finding.pointer)
                                     : has_field(*text, pointer_tokens(finding.pointer));
    return has ? Relation::of_field : Relation::of_object;
  } catch (const std::runtime_error&) {
    return Relation::none;  // kubectl has read it
  }
}

}  // namespace

void Origin::place(ManifestFinding& finding) const {
  finding.location.file = file;
  finding.source_file = named_file;
  if (!set.empty()) finding.sets = {set};
  for (const fs::path& kustomization : patched_by) {
    for (const KustomizePatch& patch : read_kustomization(kustomization).patches) {
      const Relation relation = relation_of(patch, finding);
      const std::string name = shown(patch.file, are_names_absolute);
      if (relation == Relation::of_field) {
        finding.location.file = name;
        finding.source_file = file;
      } else if (relation == Relation::of_object && finding.location.file == file) {
        finding.source_file = name;
      }
    }
  }
}

Origin origin_in_chart(const manifests::Manifest& manifest, const std::string& folder,
                       const std::string& chart_file) {
  const std::string named(manifest.document->source_file());
  const fs::path inside = fs::path(named.substr(named.find('/') + 1)).lexically_normal();
  const fs::path file = fs::path(folder) / inside;
  std::error_code error;
  const bool is_below = inside.is_relative() && !inside.empty() && *inside.begin() != "..";
  if (is_below && fs::is_regular_file(file, error)) return {.file = file.lexically_normal()};
  return {.file = chart_file, .named_file = named};
}

Origin take_kustomize_origin(manifests::Manifest& manifest, const fs::path& overlay,
                             const std::string& kustomization_file) {
  Origin origin{.file = kustomization_file,
                .are_names_absolute = fs::path(kustomization_file).is_absolute()};
  auto object = ordered_json::parse(json_text(manifest));
  ordered_json& metadata = object["metadata"];
  const auto take = [&](const char* name) {
    std::string text = metadata["annotations"].value(name, "");
    metadata["annotations"].erase(name);
    return text;
  };
  if (!metadata.is_object() || !metadata.contains("annotations") ||
      !metadata["annotations"].is_object()) {
    return origin;
  }
  const auto absolute = [&](const std::string& path) {
    return (overlay / path).lexically_normal();
  };
  server::ConfigReader base(kOrigin), transformations(kTransformations);
  if (const auto root = base.load(take(kOrigin))) {
    const std::string path = text_of(*root, "path");
    if (!path.empty()) origin.file = shown(absolute(path), origin.are_names_absolute);
  }
  if (const auto root = transformations.load(take(kTransformations)); root && root->is_list()) {
    for (const ConfigNode& each : root->children()) {
      const auto by = each.is_mapping() ? each.member("configuredBy") : std::nullopt;
      if (!by || !text_of(*by, "kind").starts_with("Patch")) continue;
      const fs::path file = absolute(text_of(each, "configuredIn"));
      if (std::ranges::find(origin.patched_by, file) == origin.patched_by.end())
        origin.patched_by.push_back(file);
    }
  }
  if (metadata["annotations"].empty()) metadata.erase("annotations");
  manifest.json = std::make_shared<manifests::ParsedJson>(object.dump());
  manifest.object = manifest.json->document.root();
  return origin;
}

}  // namespace winadmit::cli
