#include "policy/rules/read_annotations.hpp"

#include <algorithm>

#include "policy/pod/annotations.hpp"
#include "policy/pod/ignored_rules.hpp"
#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit {

const std::vector<std::string_view>& judged_annotation_keys() {
  static const std::vector<std::string_view> kKeys = [] {
    std::vector<std::string_view> all = {kInheritUserAnnotation, kMirrorAnnotation,
                                         kIgnoreAnnotation};
    for (const Rule& rule : rules()) {
      const bool is_new = std::ranges::find(all, rule.field) == all.end();
      if (rule.scope == Scope::annotation && is_new) all.push_back(rule.field);
    }
    return all;
  }();
  return kKeys;
}

bool is_judged_annotation(std::string_view key) {
  return std::ranges::any_of(judged_annotation_keys(), [key](std::string_view pattern) {
    return matches_annotation(pattern, key);
  });
}

}  // namespace winadmit
