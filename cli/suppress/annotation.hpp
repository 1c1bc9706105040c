// The annotation winadmit.dev/ignore of an object or of its pod template. The server does not read
// it: who creates a pod must not choose the rules for it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"

namespace winadmit::cli {

inline constexpr std::string_view kIgnoreAnnotation = "winadmit.dev/ignore";

struct IgnoredRule {
  std::string rule;
  std::string reason;
};

/// Parses "host-pid: reason". Several are separated by ";" or lines.
std::vector<IgnoredRule> parse_ignored_rules(std::string_view annotation);

struct IgnoreAnnotation {
  std::string pointer;  // of the annotation in the document
  std::vector<IgnoredRule> rules;
};

/// Those of every metadata in the object.
std::vector<IgnoreAnnotation> find_ignore_annotations(JsonValue object);

}  // namespace winadmit::cli
