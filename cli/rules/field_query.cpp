#include "cli/rules/field_query.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "cli/rules/rule_text.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/pod_kind.hpp"
#include "policy/rules/allowed_fields.hpp"
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
void remove_kind(std::string& field) {
  const std::string_view first = std::string_view(field).substr(0, field.find('.'));
  const auto has_name = [first](const PodKind& each) {
    return first == each.resource || std::ranges::equal(first, each.kind, [](char c, char of_kind) {
             return c == to_ascii_lower(of_kind);
           });
  };
  if (first.size() < field.size() && std::ranges::any_of(pod_kinds(), has_name))
    field.erase(0, first.size() + 1);
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

/// The texts that one with lists in braces stands for, as `winadmit rules` prints fields: "a.{b,c}"
/// is "a.b" and "a.c", and kContainers stands for each list of containers.
std::vector<std::string> without_braces(const std::string& text) {
  const std::size_t open = text.find('{');
  const std::size_t close = text.find('}', open);
  if (close == text.npos) return {text};
  std::string inside = text.substr(open + 1, close - open - 1);
  if (text.substr(open, close - open + 1) == kContainers)
    inside = fmt::format("{}", fmt::join(kContainerLists, ","));
  std::vector<std::string> texts;
  std::istringstream choices(inside);
  for (std::string choice; std::getline(choices, choice, ',');) {
    for (const std::string& end : without_braces(text.substr(close + 1)))
      texts.push_back(text.substr(0, open) + choice + end);
  }
  return texts;
}

}  // namespace

std::vector<std::string> known_paths() {
  std::vector<std::string> known;
  const auto add = [&](const std::vector<std::string>& paths) {
    known.insert(known.end(), paths.begin(), paths.end());
  };
  for (const Rule& rule : rules()) add(paths_of(rule.scope, rule.field));
  for (const AllowedField& each : allowed_fields()) add(paths_of(each.scope, each.field));
  return known;
}

std::string normalized_path(std::string field) {
  if (field.starts_with('.')) field.erase(0, 1);
  remove_kind(field);
  if (!field.starts_with("metadata")) remove_template(field);
  const bool is_rooted =
      field.starts_with("spec.") || field == "spec" || field.starts_with("metadata");
  return with_entries(is_rooted ? field : "spec." + field);
}

std::vector<std::string> paths_of_query(const std::string& field) {
  std::vector<std::string> paths;
  for (const std::string& each : without_braces(field)) paths.push_back(normalized_path(each));
  return paths;
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
