#include "policy/rules/field_pattern.hpp"

#include <cstddef>

namespace winadmit {
namespace {

constexpr std::string_view kEntry = "[*]";

std::vector<std::string_view> roots_of(Scope scope) {
  switch (scope) {
    case Scope::pod:
      return {"spec"};
    case Scope::each_container:
      return {"spec.containers[*]", "spec.initContainers[*]", "spec.ephemeralContainers[*]"};
    case Scope::each_main:
      return {"spec.containers[*]", "spec.initContainers[*]"};
    case Scope::each_ephemeral:
      return {"spec.ephemeralContainers[*]"};
    case Scope::annotation:
      return {"metadata.annotations"};
  }
  return {};
}

/// "a.{b,c}.d" to "a.b.d" and "a.c.d".
std::vector<std::string> without_braces(std::string_view field) {
  const std::size_t open = field.find('{');
  if (open == field.npos) return {std::string(field)};
  const std::size_t close = field.find('}', open);
  if (close == field.npos) return {std::string(field)};

  const std::vector<std::string> tails = without_braces(field.substr(close + 1));
  std::string_view choices = field.substr(open + 1, close - open - 1);
  std::vector<std::string> paths;
  while (true) {
    const std::size_t comma = choices.find(',');
    for (const std::string& tail : tails) {
      paths.push_back(std::string(field.substr(0, open)) + std::string(choices.substr(0, comma)) +
                      tail);
    }
    if (comma == choices.npos) return paths;
    choices.remove_prefix(comma + 1);
  }
}

std::string_view without_entry(std::string_view path) {
  if (path.ends_with(kEntry)) path.remove_suffix(kEntry.size());
  return path;
}

}  // namespace

std::vector<std::string> paths_of(Scope scope, std::string_view field) {
  std::vector<std::string> paths;
  for (const std::string_view root : roots_of(scope)) {
    if (scope == Scope::annotation) {
      paths.push_back(std::string(root) + '[' + std::string(field) + ']');
      continue;
    }
    for (const std::string& tail : without_braces(field)) {
      paths.push_back(tail.empty() ? std::string(root) : std::string(root) + '.' + tail);
    }
  }
  return paths;
}

bool is_same_path(std::string_view path, std::string_view field_path) {
  return without_entry(path) == without_entry(field_path);
}

bool is_below(std::string_view path, std::string_view field_path) {
  const std::string_view field = without_entry(field_path);
  if (!path.starts_with(field)) return false;
  std::string_view rest = path.substr(field.size());
  if (rest.starts_with(kEntry)) rest.remove_prefix(kEntry.size());
  return rest.starts_with('.');
}

}  // namespace winadmit
