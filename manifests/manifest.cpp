#include "manifests/manifest.hpp"

#include <utility>

namespace winadmit::manifests {

namespace dom = simdjson::dom;

ParsedJson::ParsedJson(std::string json) : text(std::move(json)) {
  dom::parser parser;
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  parser.parse_into_document(document, text.data(), text.size(), false).value();
}

std::string json_text(const Manifest& manifest) {
  const bool is_root = manifest.json && manifest.node == manifest.root;
  return is_root ? manifest.json->text : simdjson::minify(manifest.object);
}

std::string_view string_member(dom::element object, std::string_view key) {
  std::string_view text;
  return object[key].get(text) == simdjson::SUCCESS ? text : std::string_view();
}

}  // namespace winadmit::manifests
