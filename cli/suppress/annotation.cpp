#include "cli/suppress/annotation.hpp"

#include <algorithm>

#include "policy/json/field_path.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

/// Templates are objects in objects, or in lists.
void add_annotations(const json& value, const std::string& pointer,
                     std::vector<IgnoreAnnotation>& to) {
  static const json::json_pointer kPointer("/metadata/annotations/winadmit.dev~1ignore");
  if (value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) {
      add_annotations(value[i], pointer + '/' + std::to_string(i), to);
    }
  }
  if (!value.is_object()) return;
  if (value.contains(kPointer) && value.at(kPointer).is_string()) {
    to.push_back({pointer + kPointer.to_string(),
                  parse_ignored_rules(value.at(kPointer).get<std::string>())});
  }
  for (const auto& [key, member] : value.items()) {
    if (member.is_structured() && key != "metadata" && key != "oldObject") {
      add_annotations(member, pointer + '/' + escape_pointer_token(key), to);
    }
  }
}

}  // namespace

std::vector<IgnoredRule> parse_ignored_rules(const std::string& annotation) {
  std::vector<IgnoredRule> ignored;
  std::string_view rest = annotation;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(";\n"), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t colon = part.find(':');
    const std::string rule = trimmed(part.substr(0, colon));
    if (rule.empty()) continue;
    ignored.push_back({rule, colon == part.npos ? "" : trimmed(part.substr(colon + 1))});
  }
  return ignored;
}

std::vector<IgnoreAnnotation> find_ignore_annotations(const json& object) {
  std::vector<IgnoreAnnotation> found;
  add_annotations(object, "", found);
  return found;
}

}  // namespace winadmit::cli
