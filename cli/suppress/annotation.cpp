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

class Finder {
 public:
  /// Templates are objects in objects, or in lists.
  void search(const json& value) {
    if (value.is_array()) {
      for (std::size_t i = 0; i < value.size(); ++i) search_child(std::to_string(i), value[i]);
    }
    if (!value.is_object()) return;
    if (const auto metadata = value.find("metadata"); metadata != value.end()) add(*metadata);
    for (const auto& [key, member] : value.get_ref<const json::object_t&>()) {
      if (key != "metadata" && key != "oldObject") search_child(key, member);
    }
  }

  std::vector<IgnoreAnnotation> extract() { return std::move(found_); }

 private:
  void search_child(std::string_view token, const json& value) {
    if (!value.is_structured()) return;
    path_.push_back(token);
    search(value);
    path_.pop_back();
  }

  void add(const json& metadata) {
    static const json::json_pointer kAnnotation("/annotations/winadmit.dev~1ignore");
    if (!metadata.contains(kAnnotation) || !metadata.at(kAnnotation).is_string()) return;
    std::string pointer;
    for (const std::string_view token : path_) pointer += '/' + escape_pointer_token(token);
    found_.push_back({pointer + "/metadata" + kAnnotation.to_string(),
                      parse_ignored_rules(metadata.at(kAnnotation).get<std::string>())});
  }

  std::vector<std::string_view> path_;
  std::vector<IgnoreAnnotation> found_;
};

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
  Finder finder;
  finder.search(object);
  return finder.extract();
}

}  // namespace winadmit::cli
