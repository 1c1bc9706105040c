// YAML as a value, for tests.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "manifests/parse_yaml.hpp"
#include "manifests/to_json.hpp"

namespace winadmit::test {

/// The first document; null if there is none. Throws manifests::ParseError.
inline nlohmann::json yaml_value(const std::string& text, const manifests::Limits& limits = {}) {
  manifests::Document document(text);
  manifests::parse_yaml(document, limits);
  return document.roots().empty() ? nlohmann::json()
                                  : manifests::to_json(document, document.roots().front(), limits);
}

}  // namespace winadmit::test
