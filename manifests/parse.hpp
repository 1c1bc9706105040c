// Reads a document that is YAML or JSON.
#pragma once

#include "manifests/document.hpp"

namespace winadmit::manifests {

struct ParseOptions {
  bool may_be_json = true;         // JSON is read as such; if it is not JSON, it may be YAML
  bool is_separator_text = false;  // YAML begins with the "---" of the first line, not after it
};

/// Adds the nodes of a part of a file, as DocumentReader splits it. Throws ParseError.
void parse(Document& document, const Limits& limits, ParseOptions options = {});

}  // namespace winadmit::manifests
