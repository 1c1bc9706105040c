// Reads a YAML document with libyaml, the parser that kubectl's own descends from.
#pragma once

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Adds the nodes of the document's text. If the first line begins with "---", it is passed over
/// unless `is_separator_text`. Throws ParseError, also for kMaxDepth levels, more values than
/// `limits` permits, and an alias for nothing or for what it is in.
void parse_yaml(Document& document, const Limits& limits = {}, bool is_separator_text = false);

}  // namespace winadmit::manifests
