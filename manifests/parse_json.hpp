// Reads a JSON document (RFC 8259), with the place of each key and value.
#pragma once

#include <string_view>

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Adds the nodes of the one value that the document's text holds, before its tail. Throws
/// ParseError, also for more levels and values than `limits` permits.
void parse_json(Document& document, const Limits& limits = {});

/// The same for the text `read`, which lives as long as the document, and has in it what the text
/// of the document lacks to be a value.
void parse_json(Document& document, std::string_view read, const Limits& limits);

}  // namespace winadmit::manifests
