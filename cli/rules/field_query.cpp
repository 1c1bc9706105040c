#include "cli/rules/field_query.hpp"

#include <algorithm>
#include <set>

#include "cli/fields/near_field.hpp"
#include "cli/fields/pod_api.hpp"
#include "policy/pod/pod_kind.hpp"
#include "policy/rules/field_pattern.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kEntry = "[*]";

/// "spec.containers[*]", "spec.containers[*].ports[*]": the outer lists first.
const std::set<std::string>& list_paths() {
  static const std::set<std::string> kLists = [] {
    std::set<std::string> lists;
    for (const std::string& path : known_paths()) {
      for (std::size_t at = path.find(kEntry); at != path.npos; at = path.find(kEntry, at + 1))
        lists.insert(path.substr(0, at + kEntry.size()));
    }
    return lists;
  }();
  return kLists;
}

/// The path with each index, also [*], replaced. Keys of maps stay.
std::string with_indices_as(std::string_view text, std::string path) {
  for (std::size_t open = path.find('['); open != path.npos; open = path.find('[', open)) {
    const std::size_t close = path.find(']', open);
    if (close == path.npos) break;
    const std::string inside = path.substr(open + 1, close - open - 1);
    const bool is_index = inside.find_first_not_of("0123456789*") == inside.npos;
    if (is_index) path.replace(open, close - open + 1, text);
    open += is_index ? text.size() : 1;
  }
  return path;
}

std::string without_indices(std::string path) { return with_indices_as("", std::move(path)); }

/// Writes [*] instead of indices, and where kubectl explain leaves it out.
std::string with_entries(std::string path) {
  path = with_indices_as(kEntry, std::move(path));
  for (const std::string& list : list_paths()) {
    const std::size_t size = list.size() - kEntry.size();
    if (path.starts_with(list.substr(0, size) + '.')) path.insert(size, kEntry);
  }
  return path;
}

/// Removes the kind or the resource that kubectl explain has before the field: "pod.", "pods.".
/// Null if there is none.
const PodKind* remove_kind(std::string& field) {
  if (field.starts_with('.')) field.erase(0, 1);
  const std::string_view first = std::string_view(field).substr(0, field.find('.'));
  const auto found = std::ranges::find_if(pod_kinds(), [first](const PodKind& each) {
    return first == each.resource || std::ranges::equal(first, each.kind, [](char c, char of_kind) {
             return c == to_ascii_lower(of_kind);
           });
  });
  if (first.size() == field.size() || found == pod_kinds().end()) return nullptr;
  field.erase(0, first.size() + 1);
  return &*found;
}

/// Follows a path from an object of the type. Entries of lists may be written or not.
ApiLookup look_up_in(const ApiType& root, std::string_view path) {
  ApiLookup found{.is_known = true};
  const ApiType* type = &root;
  std::vector<ApiStep> steps;
  while (!path.empty()) {
    const std::string_view name = path.substr(0, path.find_first_of(".["));
    const ApiField* const field = type == nullptr ? nullptr : type->find(name);
    if (field == nullptr) {
      const FieldPlace place{.root = root, .parents = steps, .parent = type};
      return {.place = find_other_place(place, name, kNewestVersion)};
    }
    found.versions = intersection(found.versions, field->versions);
    if (field->is_open) return found;
    path.remove_prefix(name.size());
    if (path.starts_with('[')) path.remove_prefix(std::min(path.find(']'), path.size() - 1) + 1);
    if (path.starts_with('.')) path.remove_prefix(1);
    steps.push_back({name, field->is_list ? ApiStep::kEachEntry : ApiStep::kNoEntry});
    type = field->type;
  }
  return found;
}

/// The bracket before the first key of a map; npos if there are only indices, such as [0] and [*].
std::size_t find_key(std::string_view path) {
  std::size_t open = path.find('[');
  while (open < path.size() && path.find_first_of("0123456789*", open) == open + 1)
    open = path.find('[', open + 1);
  return open;
}

/// Removes the place of a pod template: "spec.template.", "spec.jobTemplate.spec.template.", or one
/// of another kind, such as "spec.tasks[0].template.".
void remove_template(std::string& field) {
  constexpr std::string_view kTemplate = ".template.";
  const std::string after_dot = '.' + field;
  const std::size_t key = find_key(after_dot);  // of a map: it may have dots
  const std::size_t place = after_dot.substr(0, key).rfind(kTemplate);
  if (place != after_dot.npos) field = after_dot.substr(place + kTemplate.size());
}

}  // namespace

const std::vector<std::string>& known_paths() {
  static const std::vector<std::string> kPaths = [] {
    std::vector<std::string> paths;
    for (const Rule& rule : rules()) {
      if (rule.scope == Scope::annotation)
        paths.push_back(paths_of(rule.scope, rule.field).front());
    }
    for (const ApiPath& each : api_paths(api_type("PodSpec"))) {
      if (each.versions.contains(kNewestVersion)) paths.push_back("spec." + to_string(each.steps));
    }
    return paths;
  }();
  return kPaths;
}

ApiLookup look_up(const std::string& field) {
  std::string path = field;
  const PodKind* const kind = remove_kind(path);
  return kind != nullptr && path.starts_with("spec")
             ? look_up_in(api_type(kind->kind), path)
             : look_up_in(api_type("Pod"), normalized_path(path));
}

std::string normalized_path(std::string field) {
  remove_kind(field);
  if (!field.starts_with("metadata")) remove_template(field);
  const bool is_rooted =
      field.starts_with("spec.") || field == "spec" || field.starts_with("metadata");
  return with_entries(is_rooted ? field : "spec." + field);
}

std::vector<std::string> known_names() {
  std::set<std::string> names;
  for (const std::string& path : known_paths()) {
    if (path.starts_with("metadata")) continue;
    const std::size_t key = path.ends_with(']') ? path.rfind('[') : path.npos;  // may have dots
    names.insert(path.substr(path.rfind('.', key) + 1));
  }
  return {names.begin(), names.end()};
}

std::vector<std::string> paths_named(std::string_view name) {
  if (name.empty()) return {};
  const std::string names = '.' + without_indices(std::string(name));
  std::set<std::string> named;
  for (const std::string& path : known_paths()) {
    if (path.starts_with("metadata")) continue;
    for (std::size_t end = path.find_first_of(".["); end < path.size();) {
      end = std::min(path.find_first_of(".[", end + 1), path.size());
      std::string begin = path.substr(0, end);
      if (without_indices(begin).ends_with(names)) named.insert(std::move(begin));
    }
  }
  return {named.begin(), named.end()};
}

}  // namespace winadmit::cli
