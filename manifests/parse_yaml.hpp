// Reads a YAML document with libyaml, the parser that kubectl's own descends from.
#pragma once

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Adds the nodes of the document's text, whose first line may be a "---". Throws ParseError, also
/// for kMaxDepth levels, more values than `limits` permits, and an alias for nothing or for what it
/// is in.
void parse_yaml(Document& document, const Limits& limits = {});

}  // namespace winadmit::manifests
