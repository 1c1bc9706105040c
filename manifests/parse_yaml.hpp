// Reads a YAML document with libyaml, the parser that kubectl's own descends from.
#pragma once

#include <cstddef>
#include <string_view>

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Begins the line between two documents.
inline constexpr std::string_view kSeparator = "---";

/// Begins the error of an alias for nothing.
inline constexpr std::string_view kUnknownAnchor = "unknown anchor";

/// The size of the first line if it begins with kSeparator; else 0.
std::size_t separator_size(std::string_view text);

/// Adds the nodes of the document's text. If the first line begins with "---", it is passed over
/// unless `is_separator_text`. Throws ParseError, also for more levels and values than
/// `limits` permits, and an alias for nothing or for what it is in.
void parse_yaml(Document& document, const Limits& limits = {}, bool is_separator_text = false);

}  // namespace winadmit::manifests
