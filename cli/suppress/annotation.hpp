// Where an object has the annotation winadmit.dev/ignore.
#pragma once

#include <string>
#include <vector>

#include "policy/json/json.hpp"
#include "policy/pod/ignored_rules.hpp"

namespace winadmit::cli {

struct IgnoreAnnotation {
  std::string pointer;  // of the annotation in the document
  std::vector<IgnoredRule> rules;
};

/// Those of every metadata in the object.
std::vector<IgnoreAnnotation> find_ignore_annotations(JsonValue object);

}  // namespace winadmit::cli
