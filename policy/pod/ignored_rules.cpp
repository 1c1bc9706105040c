#include "policy/pod/ignored_rules.hpp"

#include <algorithm>

namespace winadmit {
namespace {

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == text.npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(kSpace) - first + 1));
}

}  // namespace

std::vector<IgnoredRule> parse_ignored_rules(std::string_view annotation) {
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

}  // namespace winadmit
