#include "manifests/parse.hpp"

#include "manifests/characters.hpp"
#include "manifests/parse_json.hpp"
#include "manifests/parse_yaml.hpp"

namespace winadmit::manifests {
namespace {

/// Only a comment may follow the separator (k8s.io/apimachinery pkg/util/yaml, YAMLReader.Read).
void check_separator(std::string_view text) {
  const std::string_view line = text.substr(0, separator_size(text));
  if (line.empty()) return;
  const std::size_t rest = line.find_first_not_of(" \t\r\n\v\f", kSeparator.size());
  if (rest != std::string_view::npos && line[rest] != '#')
    throw ParseError(rest, "only a comment may follow ---");
  // DocumentReader ends the text there.
  if (const std::size_t nul = line.find('\0'); nul != std::string_view::npos)
    throw ParseError(nul, "control characters are not allowed");
}

/// A text that begins so gets the error of the JSON reader, as in kubectl.
bool looks_like_json(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kSpace);
  if (first == std::string_view::npos || text[first] != '{') return false;
  const std::size_t second = text.find_first_not_of(kSpace, first + 1);
  return second != std::string_view::npos && text[second] == '"';
}

/// False if the text is no JSON. The document has no nodes then.
bool try_json(Document& document, const Limits& limits) {
  if (!looks_like_json(document.text())) return false;
  try {
    parse_json(document, limits);
    return true;
  } catch (const ParseError&) {
    document.clear();
    return false;
  }
}

}  // namespace

void parse(Document& document, const Limits& limits, ParseOptions options) {
  if (options.may_be_json && try_json(document, limits)) return;
  check_separator(document.text());
  if (!looks_like_json(document.text())) {
    parse_yaml(document, limits, options.is_separator_text);
    return;
  }
  try {
    parse_yaml(document, limits, options.is_separator_text);
  } catch (const ParseError& error) {
    if (error.is_template) throw;
    Document json{std::string(document.text())};
    parse_json(json, limits);
    throw;
  }
}

}  // namespace winadmit::manifests
