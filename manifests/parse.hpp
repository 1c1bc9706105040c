// Reads a document that is YAML or JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Adds the nodes of a part of a file, as DocumentReader splits it. JSON is read as such if
/// `may_be_json`; if it is not JSON, it may be YAML. Throws ParseError.
void parse(Document& document, const Limits& limits, bool may_be_json = true);

/// The reference tokens of a JSON Pointer.
std::vector<std::string> tokens_of(nlohmann::json::json_pointer pointer);

}  // namespace winadmit::manifests
