// The annotation winadmit.dev/ignore of an object or of its pod template.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace winadmit {

inline constexpr std::string_view kIgnoreAnnotation = "winadmit.dev/ignore";

struct IgnoredRule {
  std::string rule;
  std::string reason;
};

/// Parses "host-pid: reason". Several are separated by ";" or lines.
std::vector<IgnoredRule> parse_ignored_rules(std::string_view annotation);

}  // namespace winadmit
