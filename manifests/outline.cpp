#include "manifests/outline.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

#include "manifests/characters.hpp"
#include "manifests/parse_yaml.hpp"
#include "manifests/utf8.hpp"

namespace winadmit::manifests {
namespace {

/// The lines of a text, which end with CR, LF or both.
template <typename Visit>
void for_each_line(std::string_view text, const Visit& visit) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find_first_of("\r\n", begin), text.size());
    visit(text.substr(begin, end - begin));
    begin = end + 1;
  }
}

/// What a text that cannot be read looks like, line by line.
struct Outline {
  std::string_view first;                  // line with content: no comment, no "---"
  std::optional<std::size_t> api_version;  // the least indentation of the key
  std::optional<std::size_t> kind;
};

std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(kBlank), line.size());
}

/// Whether the line begins with the key, in quotes or not.
bool has_key(std::string_view line, std::string_view key) {
  line.remove_prefix(indentation_of(line));
  if (line.starts_with("? ")) line.remove_prefix(2);
  if (line.starts_with('"') || line.starts_with('\'')) line.remove_prefix(1);
  return line.starts_with(key);
}

Outline find_outline(std::string_view text) {
  Outline found;
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with(kSeparator)) line.remove_prefix(kSeparator.size());
    const std::size_t indentation = indentation_of(line);
    const bool has_content = indentation < line.size() && line[indentation] != '#';
    if (!has_content) return;
    if (found.first.empty()) found.first = line;
    for (const auto& [key, least] :
         {std::pair("apiVersion", &found.api_version), std::pair("kind", &found.kind)}) {
      if (has_key(line, key)) *least = std::min(least->value_or(indentation), indentation);
    }
  });
  return found;
}

}  // namespace

bool may_be_object(std::string_view text) {
  if (text.empty() || text.find('\0') != std::string::npos) return true;
  text = without_byte_order_mark(text);
  const Outline outline = find_outline(text);
  const std::size_t outermost = indentation_of(outline.first);
  const std::string_view first = outline.first.substr(outermost);
  if (first.starts_with('{') || first.starts_with('['))
    return text.find("apiVersion") != text.npos && text.find("kind") != text.npos;
  return outline.api_version && outline.kind &&
         std::min(*outline.api_version, *outline.kind) <= outermost;
}

}  // namespace winadmit::manifests
