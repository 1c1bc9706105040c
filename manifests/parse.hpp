// Reads a document that is YAML or JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "manifests/document.hpp"

namespace winadmit::manifests {

struct ParseOptions {
  bool may_be_json = true;         // JSON is read as such; if it is not JSON, it may be YAML
  bool is_separator_text = false;  // YAML begins with the "---" of the first line, not after it
};

/// Adds the nodes of a part of a file, as DocumentReader splits it. Throws ParseError.
void parse(Document& document, const Limits& limits, ParseOptions options = {});

/// The reference tokens of a JSON Pointer.
std::vector<std::string> tokens_of(nlohmann::json::json_pointer pointer);

}  // namespace winadmit::manifests
