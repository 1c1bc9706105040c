#include "manifests/layout.hpp"

#include <algorithm>

#include "manifests/characters.hpp"
#include "manifests/utf8.hpp"
#include "manifests/yaml_writer.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::ordered_json;

std::string quoted(const std::string& text) { return ordered_json(text).dump(); }

std::string block_string(const std::string& text) {
  return is_plain_text(text) ? text : quoted(text);
}

std::string spaces(std::size_t count) { return std::string(count, ' '); }

bool is_block_mapping(const Document& document, NodeId id) {
  return document[id].kind == Node::Kind::mapping && !document[id].is_flow;
}

/// The column of the dash of a list's first entry; npos if it cannot be told.
std::size_t dash_column(const Document& document, NodeId list) {
  const NodeId first = document[list].first;
  if (first == kNoNode) return std::string::npos;
  const std::size_t dash = dash_before(document.text(), document[first].begin);
  return dash == std::string::npos ? dash : column_of(document.text(), dash);
}

}  // namespace

std::size_t column_of(std::string_view text, std::size_t offset) {
  std::size_t begin = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
  if (begin == 0 && text.starts_with(kByteOrderMark)) begin = kByteOrderMark.size();
  return offset - std::min(begin, offset);
}

std::size_t dash_before(std::string_view text, std::size_t entry) {
  for (std::size_t end = entry;;) {
    const std::size_t begin = end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
    const std::string_view line = text.substr(begin, end - begin);
    // Before an entry, a line has dashes, blanks and a comment.
    const std::string_view before_comment = line.substr(0, line.find('#'));
    const std::size_t at = before_comment.find_last_not_of(kSpace);
    if (at != std::string_view::npos) return line[at] == '-' ? begin + at : std::string::npos;
    if (begin == 0) return std::string::npos;
    end = begin - 1;
  }
}

Layout find_layout(const Document& document) {
  Layout layout;
  const std::string_view text = document.text();
  const std::size_t line_end = text.find('\n');
  if (line_end != std::string_view::npos && line_end > 0 && text[line_end - 1] == '\r')
    layout.line_end = "\r\n";
  bool knows_step = false, knows_lists = false;
  for (NodeId id = 0; id < document.size() && !(knows_step && knows_lists); ++id) {
    if (!is_block_mapping(document, id)) continue;
    for (NodeId key = document[id].first; key != kNoNode;) {
      const NodeId value = document[key].next;
      const std::size_t column = column_of(text, document[key].begin);
      const Node& child = document[value];
      if (!knows_step && is_block_mapping(document, value)) {
        const std::size_t inner = column_of(text, document[child.first].begin);
        knows_step = inner > column;
        if (knows_step) layout.step = inner - column;
      }
      if (!knows_lists && child.kind == Node::Kind::sequence && !child.is_flow) {
        const std::size_t dash = dash_column(document, value);
        knows_lists = dash != std::string::npos && dash >= column;
        if (knows_lists) layout.list_indent = dash - column;
      }
      key = document[value].next;
    }
  }
  return layout;
}

std::string to_block(const ordered_json& value, std::size_t column, const Layout& layout) {
  if (value.is_string()) return ' ' + block_string(value.get<std::string>());
  if (!value.is_structured() || value.empty()) return ' ' + value.dump();
  std::string text;
  if (value.is_object()) {
    const std::size_t inner = column + layout.step;
    for (const auto& [key, member] : value.items())
      text += layout.line_end + spaces(inner) + to_block_member(key, member, inner, layout);
    return text;
  }
  const std::size_t dash = column + layout.list_indent;
  for (const ordered_json& entry : value)
    text += layout.line_end + spaces(dash) + "- " + to_block_entry(entry, dash + 2, layout);
  return text;
}

std::string to_block_member(const std::string& key, const ordered_json& value, std::size_t column,
                            const Layout& layout) {
  return block_string(key) + ':' + to_block(value, column, layout);
}

std::string to_block_entry(const ordered_json& value, std::size_t column, const Layout& layout) {
  if (!value.is_object() || value.empty()) {
    if (value.is_array() && !value.empty()) return value.dump();
    return to_block(value, column, layout).substr(1);
  }
  std::string text;
  for (const auto& [key, member] : value.items()) {
    if (!text.empty()) text += layout.line_end + spaces(column);
    text += to_block_member(key, member, column, layout);
  }
  return text;
}

std::string to_flow_string(const std::string& text, const FlowStyle& style) {
  return style.is_json || !is_plain_text(text) ? quoted(text) : text;
}

std::string to_flow(const ordered_json& value, const std::string& indent, const FlowStyle& style) {
  if (value.is_string()) return to_flow_string(value.get<std::string>(), style);
  if (!value.is_structured() || value.empty()) return value.dump();
  const bool has_lines = style.has_lines();
  const std::string inner = indent + style.step;
  const std::string line_end = style.comma.find('\r') != std::string::npos ? "\r\n" : "\n";
  const std::string before = has_lines ? line_end + inner : std::string();
  const std::string comma = has_lines ? ',' + before : style.comma;
  std::string text;
  for (const auto& [key, member] : value.items()) {
    text += text.empty() ? before : comma;
    if (value.is_object()) text += to_flow_string(key, style) + style.colon;
    text += to_flow(member, inner, style);
  }
  if (has_lines) text += line_end + indent;
  if (!value.is_object()) return '[' + text + ']';
  const std::string padding = has_lines ? "" : style.padding;
  return '{' + padding + text + padding + '}';
}

}  // namespace winadmit::manifests
