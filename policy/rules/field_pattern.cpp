#include "policy/rules/field_pattern.hpp"

#include <cstddef>

#include "policy/pod/pod.hpp"

namespace winadmit {
namespace {

constexpr std::string_view kEntries = "[*]";

std::string_view without_entries(std::string_view path) {
  if (path.ends_with(kEntries)) path.remove_suffix(kEntries.size());
  return path;
}

}  // namespace

std::span<const std::string_view> container_lists_of(Scope scope) {
  const std::span<const std::string_view> lists = kContainerLists;
  switch (scope) {
    case Scope::pod_and_containers:
    case Scope::each_container:
      return lists;
    case Scope::each_non_ephemeral:
      return lists.first(kEphemeralList);
    case Scope::each_ephemeral:
      return lists.subspan(kEphemeralList);
    case Scope::pod:
    case Scope::annotation:
      break;
  }
  return {};
}

std::vector<std::string> paths_of(Scope scope, std::string_view field) {
  if (scope == Scope::annotation) return {"metadata.annotations[" + std::string(field) + ']'};
  std::vector<std::string> paths;
  if (includes_pod(scope)) paths.emplace_back("spec");
  for (const std::string_view list : container_lists_of(scope)) {
    paths.push_back("spec." + std::string(list) + "[*]");
  }
  const auto steps = parse_field_pattern(field);
  for (const FieldStep& step : steps.value()) {
    std::vector<std::string> longer;
    for (const std::string& path : paths) {
      for (const std::string_view name : step.names) {
        longer.push_back(path + '.' + std::string(name));
        if (step.is_list) longer.back() += kEntries;
      }
    }
    paths = std::move(longer);
  }
  return paths;
}

bool is_same_path(std::string_view path, std::string_view field_path) {
  return without_entries(path) == without_entries(field_path);
}

bool is_below(std::string_view path, std::string_view field_path) {
  const std::string_view field = without_entries(field_path);
  if (!path.starts_with(field)) return false;
  std::string_view rest = path.substr(field.size());
  if (rest.starts_with(kEntries)) rest.remove_prefix(kEntries.size());
  return rest.starts_with('.') || rest.starts_with('[');
}

bool matches_annotation(std::string_view field, std::string_view key) {
  const std::size_t star = field.find('*');
  if (star == field.npos) return key == field;
  return key.size() >= field.size() - 1 && key.starts_with(field.substr(0, star)) &&
         key.ends_with(field.substr(star + 1));
}

}  // namespace winadmit
