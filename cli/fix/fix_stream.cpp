#include "cli/fix/fix_stream.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "manifests/characters.hpp"
#include "manifests/parse_json.hpp"
#include "manifests/parse_yaml.hpp"
#include "manifests/source_comment.hpp"
#include "manifests/to_json.hpp"
#include "manifests/utf8.hpp"
#include "manifests/yaml_writer.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

std::string read_as_yaml(const std::string& text, const manifests::Limits& limits) {
  try {
    manifests::Document document(text);
    manifests::parse_yaml(document, limits);
    if (document.roots().size() == 1)
      return manifests::to_json_text(document, document.roots().front(), limits);
  } catch (const manifests::ParseError&) {
    // It is JSON only.
  }
  return {};
}

/// A JSON value that means the same as YAML: as it is, if possible. YAML has no tabs before a key,
/// and no surrogates.
std::string as_yaml(const std::string& text, const manifests::Limits& limits) {
  manifests::Document document(text);
  manifests::parse_json(document, limits);
  const std::string values = manifests::to_json_text(document, document.roots().front(), limits);
  if (read_as_yaml(text, limits) == values) return text;
  return manifests::to_yaml(nlohmann::ordered_json::parse(values));
}

void append_separated(std::string& stream, const std::string& text) {
  const bool is_blank = manifests::is_all_space(text);
  const bool has_separator = text.starts_with(manifests::kSeparator);
  if (!stream.empty() && !stream.ends_with('\n') && !is_blank) stream += '\n';
  if (!stream.empty() && !is_blank && !has_separator) stream += "---\n";
  stream += text;
}

}  // namespace

void FixStream::add(FixedFile file, bool is_named) {
  has_folder_ |= !is_named;
  files_.push_back(std::move(file));
}

std::string FixStream::text() const {
  if (files_.size() == 1 && !has_folder_) return files_.front().edited();
  std::string stream;
  for (const FixedFile& file : files_) {
    std::string text;  // of the file
    for (std::size_t i = 0; i < file.parts.size(); ++i) {
      const std::string part = file.edited_part(i);
      append_separated(text, file.parts[i].is_json ? as_yaml(part, limits_.for_edited()) : part);
    }
    if (!stream.empty()) stream += stream.ends_with('\n') ? "---\n" : "\n---\n";
    // A stream may have a mark at its start only. The comment is in the document that it is about:
    // behind the separator, which is there already before all files but the first.
    std::string_view rest = manifests::without_byte_order_mark(text);
    for (const std::string_view separator : {"---\n", "---\r\n"}) {
      if (!rest.starts_with(separator)) continue;
      if (stream.empty()) stream += separator;
      rest.remove_prefix(separator.size());
    }
    stream += std::string(manifests::kSourceComment) + printable(file.name) + '\n';
    stream += rest;
  }
  return stream;
}

}  // namespace winadmit::cli
