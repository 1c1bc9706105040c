// The language of Rule::field and AllowedField::field:
//
//   pattern = step *("." step)
//   step    = (name / "{" name *("," name) "}") ["[*]"]
//
// `{a,b}` stands for either member, `[*]` for every entry of a list. With Scope::annotation a field
// is not a pattern but the key of an annotation, with at most one `*` for any text.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/rules/rule.hpp"
#include "text/text.hpp"

namespace winadmit {

struct FieldStep {
  std::vector<std::string_view> names;  // borrowed from the pattern
  bool is_list = false;
};

constexpr bool is_field_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, is_alphanumeric);
}

/// The steps of a pattern; nothing for a text that is not a pattern. The empty pattern has no
/// steps.
constexpr std::optional<std::vector<FieldStep>> parse_field_pattern(std::string_view pattern) {
  std::vector<FieldStep> steps;
  // Cuts the text before `separator` off the front of `rest`.
  const auto cut_front = [](std::string_view& rest, char separator) {
    const std::string_view front = rest.substr(0, rest.find(separator));
    rest.remove_prefix(front.size());
    return front;
  };
  while (!pattern.empty()) {
    std::string_view names = cut_front(pattern, '.');
    FieldStep step;
    if (names.ends_with("[*]")) {
      names.remove_suffix(3);
      step.is_list = true;
    }
    if (names.starts_with('{') && names.ends_with('}')) {
      names = names.substr(1, names.size() - 2);
      for (;;) {
        step.names.push_back(cut_front(names, ','));
        if (names.empty()) break;
        names.remove_prefix(1);
      }
    } else {
      step.names.push_back(names);
    }
    if (!std::ranges::all_of(step.names, is_field_name)) return std::nullopt;
    steps.push_back(std::move(step));
    if (pattern == ".") return std::nullopt;
    if (!pattern.empty()) pattern.remove_prefix(1);
  }
  return steps;
}

/// The lists of containers that a scope stands for; none for pod and annotation.
std::span<const std::string_view> container_lists_of(Scope scope);

/// Every path of a scope and field, as Kubernetes documents write them:
/// `spec.containers[*].ports[*].protocol`, or `metadata.annotations[key]`.
std::vector<std::string> paths_of(Scope scope, std::string_view field);

/// Whether `path` is the field itself. A list may be written with or without `[*]` at its end.
bool is_same_path(std::string_view path, std::string_view field_path);

/// Whether `path` is a member or a key, or a member of an entry, of the field at any depth.
bool is_below(std::string_view path, std::string_view field_path);

/// Whether the key of an annotation is one that the field of a rule of scope annotation stands for.
bool matches_annotation(std::string_view field, std::string_view key);

}  // namespace winadmit
