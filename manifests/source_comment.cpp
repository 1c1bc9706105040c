#include "manifests/source_comment.hpp"

#include "manifests/utf8.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

/// People write such a comment, too, to say where they found the text.
bool is_file(std::string_view name) {
  if (name.find("://") != std::string_view::npos) return false;
  return name.find_first_of(" \t") == std::string_view::npos || name.ends_with(".yaml") ||
         name.ends_with(".yml") || name.ends_with(".json");
}

}  // namespace

std::string_view find_source_comment(std::string_view document) {
  document = without_byte_order_mark(document);
  while (!document.empty()) {
    const std::size_t end = next_line_begin(document);
    const std::string_view line = trim(document.substr(0, end));
    document.remove_prefix(end);
    if (line.starts_with(kSourceComment)) {
      const std::string_view name = trim(line.substr(kSourceComment.size()));
      return is_file(name) ? name : std::string_view();
    }
    // A directive such as %YAML, and the marker of the document, may come before.
    const bool may_precede =
        line.empty() || line.starts_with('#') || line.starts_with('%') || line.starts_with("---");
    if (!may_precede) break;
  }
  return {};
}

}  // namespace winadmit::manifests
