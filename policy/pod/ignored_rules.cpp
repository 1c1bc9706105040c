#include "policy/pod/ignored_rules.hpp"

#include <algorithm>

#include "text/text.hpp"

namespace winadmit {

std::vector<IgnoredRule> parse_ignored_rules(std::string_view annotation) {
  std::vector<IgnoredRule> ignored;
  std::string_view rest = annotation;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find_first_of(";\n"), rest.size());
    const std::string_view part = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::size_t colon = part.find(':');
    const std::string_view rule = trim(part.substr(0, colon));
    if (rule.empty()) continue;
    const std::string_view reason = colon == part.npos ? "" : trim(part.substr(colon + 1));
    ignored.push_back({std::string(rule), std::string(reason)});
  }
  return ignored;
}

}  // namespace winadmit
