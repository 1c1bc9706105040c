// Reads a JSON document (RFC 8259), with the place of each key and value.
#pragma once

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Adds the nodes of the one value that the document's text holds. Throws ParseError, also for
/// more levels and values than `limits` permits.
void parse_json(Document& document, const Limits& limits = {});

}  // namespace winadmit::manifests
