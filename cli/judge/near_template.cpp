#include "cli/judge/near_template.hpp"

#include <algorithm>
#include <string>
#include <string_view>

#include "cli/judge/check_advice.hpp"
#include "text/similar.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

constexpr std::size_t kMostEditsOfAGroup = 2;
constexpr std::size_t kLongestName = 253;  // of a group, in Kubernetes
constexpr std::size_t kMostMembers = 100;  // that a misspelled one is compared with
constexpr std::size_t kLongestMember = 64;

bool is_near_group(std::string_view group, std::string_view of_object) {
  return group.empty() || (group.size() <= kLongestName && of_object.size() <= kLongestName &&
                           edit_distance(group, of_object) <= kMostEditsOfAGroup);
}

/// The path with the first member that the object lacks replaced by a similar one that it has; ""
/// if it lacks none, or has no such member. Does not look into lists.
std::string find_near_path(JsonValue object, std::string_view path) {
  std::string_view rest = path;
  while (!rest.empty()) {
    const std::string_view member = rest.substr(0, rest.find_first_of(".["));
    JsonObject parent;
    if (object.get(parent) != simdjson::SUCCESS || parent.size() > kMostMembers) return {};
    if (parent.at_key(member).get(object) != simdjson::SUCCESS) {
      std::vector<std::string_view> members;
      if (member.size() > kLongestMember) return {};
      for (const auto [key, value] : parent) {
        if (key.size() <= kLongestMember) members.push_back(key);
      }
      const std::string_view similar = find_similar(member, members);
      if (similar.empty()) return {};
      const auto begin = static_cast<std::size_t>(rest.data() - path.data());
      return std::string(path).replace(begin, member.size(), similar);
    }
    rest.remove_prefix(std::min(member.size() + 1, rest.size()));
  }
  return {};
}

/// Whether an entry finds a pod template in the object: what has containers.
bool finds_pods(const TemplatePath& entry, JsonValue object, const ObjectName& name) {
  return std::ranges::any_of(find_templates(object, name, {entry}), [](const FoundTemplate& each) {
    JsonValue containers;
    return each.value["spec"]["containers"].get(containers) == simdjson::SUCCESS;
  });
}

/// What to write in the entry, of which the kind, the group or the path is wrong; "" if that would
/// not help.
std::string find_correction(const TemplatePath& entry, JsonValue object, const ObjectName& name) {
  if (!equals_ignoring_case(entry.kind, name.kind)) return {};
  TemplatePath corrected{.group = name.group, .kind = name.kind, .path = entry.path};
  if (entry.kind != name.kind) {
    const bool is_meant = entry.group == name.group && finds_pods(corrected, object, name);
    return is_meant ? "kind: " + name.kind : std::string();
  }
  if (entry.group != name.group) {
    const bool is_meant =
        is_near_group(entry.group, name.group) && finds_pods(corrected, object, name);
    return is_meant ? "group: " + (name.group.empty() ? "''" : name.group) : std::string();
  }
  corrected.path = find_near_path(object, entry.path);
  const bool is_found = !corrected.path.empty() && finds_pods(corrected, object, name);
  return is_found ? "path: " + corrected.path : std::string();
}

ManifestFinding warning(manifests::Location location, const ObjectName& name,
                        const std::string& field, const std::string& why,
                        const std::string& correction) {
  return {.location = std::move(location),
          .object = name,
          .field = field,
          .reason = "is not judged, because " + why,
          .instead = "write " + correction + " there",
          .rule = std::string(kAdviceNearKind)};
}

}  // namespace

std::optional<ManifestFinding> warn_of_near_template(const manifests::Manifest& manifest,
                                                     const ObjectName& name,
                                                     const std::vector<TemplatePath>& templates) {
  for (const TemplatePath& each : templates) {
    const std::string correction = find_correction(each, manifest.object, name);
    if (correction.empty()) continue;
    ManifestFinding made =
        warning(manifests::location_of(manifest, "/kind"), name, "kind",
                "an entry of templates in .winadmit.yaml nearly names it", correction);
    made.pointer = "/kind";
    return made;
  }
  return std::nullopt;
}

std::optional<ManifestFinding> warn_of_pod_spec(manifests::Locator& locator, const ObjectName& name,
                                                const FoundTemplate& found) {
  constexpr std::string_view kSpec = ".spec";
  JsonValue member;
  const bool is_pod_spec = std::string_view(found.field).ends_with(kSpec) &&
                           found.value["containers"].get(member) == simdjson::SUCCESS &&
                           found.value["spec"].get(member) != simdjson::SUCCESS;
  if (!is_pod_spec) return std::nullopt;
  ManifestFinding made =
      warning(locator.at(found.pointer), name, found.field,
              "the path of its entry of templates in .winadmit.yaml is that of a pod spec",
              "the path without " + std::string(kSpec));
  made.pointer = found.pointer;
  return made;
}

}  // namespace winadmit::cli
