// How a document is written, so that what is added to it looks like the rest.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "manifests/document.hpp"

namespace winadmit::manifests {

/// Indentation and line ends of a document in blocks.
struct Layout {
  std::string line_end = "\n";
  std::size_t step = 2;         // spaces from a key to the keys below it
  std::size_t list_indent = 0;  // spaces from a key to the dashes below it
};

/// The layout that the document uses. What it does not show is as kubectl prints it.
Layout find_layout(const Document& document);

/// How the members of a collection in brackets are written.
struct FlowStyle {
  bool is_json = false;      // strings are in double quotes
  std::string colon = ": ";  // between a key and its value
  std::string comma = ", ";  // between entries; with a line end if each has its own line
  std::string padding = {};  // inside the braces of a mapping in one line
  std::string step = {};     // the indentation of a level; empty if all is in one line

  bool has_lines() const { return !step.empty(); }
};

/// Bytes from the begin of the line to the offset.
std::size_t column_of(std::string_view text, std::size_t offset);

/// The offset of the dash of a list's entry that begins at `entry`, perhaps after a comment; npos
/// if there is none.
std::size_t dash_before(std::string_view text, std::size_t entry);

/// A value after "key:" or "- " at the column, without the line end after it: " text", or lines
/// that begin with a line end.
std::string to_block(const nlohmann::ordered_json& value, std::size_t column, const Layout& layout);

/// "key: value" at the column; the first line is not indented.
std::string to_block_member(const std::string& key, const nlohmann::ordered_json& value,
                            std::size_t column, const Layout& layout);

/// An entry of a list, after its "- ", whose further lines are at the column.
std::string to_block_entry(const nlohmann::ordered_json& value, std::size_t column,
                           const Layout& layout);

/// A value in brackets. `indent` is that of the line that it begins in.
std::string to_flow(const nlohmann::ordered_json& value, const std::string& indent,
                    const FlowStyle& style);

/// A key or a string as it is written in the style.
std::string to_flow_string(const std::string& text, const FlowStyle& style);

}  // namespace winadmit::manifests
