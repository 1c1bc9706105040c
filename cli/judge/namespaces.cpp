#include "cli/judge/namespaces.hpp"

#include <utility>

#include "bytes/error.hpp"
#include "cli/judge/check_advice.hpp"
#include "manifests/location.hpp"
#include "manifests/read_manifests.hpp"
#include "policy/json/json.hpp"

namespace winadmit::cli {
namespace {

/// The value of a label. One that is no string has no meaning, like "".
std::optional<std::string_view> find_label(JsonValue name_space, std::string_view key) {
  JsonValue label;
  if (name_space["metadata"]["labels"][key].get(label) != simdjson::SUCCESS) return std::nullopt;
  std::string_view value;
  return label.get(value) == simdjson::SUCCESS ? value : std::string_view();
}

}  // namespace

void apply(const NamespaceSettings& settings, Verdict& verdict) {
  if (settings.mode == server::Mode::enforce) return;
  if (!settings.mode) {
    const bool is_judged = verdict.is_judged;
    verdict = {.object = std::move(verdict.object), .is_excluded = is_judged, .findings = {}};
    return;
  }
  // What is malformed is refused by the API server, whatever the mode.
  for (ManifestFinding& each : verdict.findings) each.is_denial &= each.rule == kMalformedField;
}

void Namespaces::add(const manifests::Manifest& manifest, ByName& to) const {
  const JsonValue object = manifest.object;
  std::string_view name;
  if (manifests::string_member(object, "kind") != "Namespace" ||
      manifests::string_member(object, "apiVersion") != "v1" ||
      object["metadata"]["name"].get(name) != simdjson::SUCCESS) {
    return;
  }
  NamespaceSettings settings{
      .mode = server::find_mode(find_label(object, server::kModeLabel), modes_),
      .default_os = server::find_default_os(find_label(object, server::kDefaultOsLabel))};
  if (name == server::kSystemNamespace) settings.mode = std::nullopt;
  to.emplace(name, settings);
}

void Namespaces::load(const std::string& file, const manifests::Limits& limits) {
  std::string error;
  manifests::read_manifests(
      file,
      {.object = [this](const manifests::Manifest& manifest) { add(manifest, given_); },
       .error =
           [&](const manifests::FileError& each) {
             if (error.empty()) error = to_string(each);
           },
       .other = [](const manifests::Location&) {}},
      limits);
  if (!error.empty()) throw Error(error);
  if (given_.empty()) throw Error("no Namespaces found in " + manifests::display_name(file));
}

bool Namespaces::add_listed(const manifests::Manifest& manifest) {
  ByName added;
  add(manifest, added);
  if (added.empty()) return true;
  const auto& [name, settings] = *listed_.insert(added.extract(added.begin())).position;
  return settings == NamespaceSettings() || !judged_without_.contains(name);
}

NamespaceSettings Namespaces::of_listed_object(const std::string& name_space) {
  if (const auto found = listed_.find(name_space); found != listed_.end()) return found->second;
  judged_without_.insert(name_space);
  return {};
}

NamespaceSettings Namespaces::of_object(const std::string& name_space) const {
  const auto found = given_.find(name_space);
  return found == given_.end() ? NamespaceSettings() : found->second;
}

}  // namespace winadmit::cli
