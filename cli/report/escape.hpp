// Escapes of the text formats. Those for lines of text make control characters visible first: see
// printable(). JSON, of SARIF, and URIs escape them themselves.
#pragma once

#include <string>
#include <string_view>

namespace winadmit::cli {

/// For XML and HTML, in text and in quoted attributes.
std::string escape_markup(std::string_view text);

/// For the message of a workflow command of GitHub, which ends with the line.
std::string escape_workflow_data(std::string_view text);

/// For a property of a workflow command of GitHub, such as a file.
std::string escape_workflow_property(std::string_view text);

/// For a message of SARIF 2.1.0, where braces are placeholders (3.11.5) and `[text](uri)` is a link
/// (3.11.6).
std::string escape_sarif(std::string_view text);

/// A path as a relative URI reference.
std::string escape_uri_path(std::string_view path);

}  // namespace winadmit::cli
