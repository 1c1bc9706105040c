// Collections in brackets.
#include <algorithm>

#include "manifests/edit.hpp"
#include "manifests/editor.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::ordered_json;

constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kBlank = " \t\r";

}  // namespace

FlowStyle Editor::flow_style(NodeId collection) const {
  FlowStyle style;
  const NodeId first = document_[collection].first;
  const NodeId parent = parents_.parent(collection);
  if (first == kNoNode) {
    if (parent == kNoNode || !document_[parent].is_flow) return style;
    return flow_style(parent);
  }
  const std::vector<Entry> entries = entries_of(collection, {});
  if (document_[collection].kind == Node::Kind::mapping) {
    style.is_json = text_[document_[first].begin] == '"';
    const std::size_t behind = text_.find(':', document_[first].end) + 1;  // npos + 1 is 0
    if (style.is_json && behind > 0 && behind < text_.size() &&
        kSpace.find(text_[behind]) == std::string_view::npos)
      style.colon = ":";
  } else if (parent != kNoNode && document_[parent].is_flow) {
    const FlowStyle outer = flow_style(parent);
    style.is_json = outer.is_json;
    style.colon = outer.colon;
  }
  // What is before the last entry: as in "{a: 1, b: 2}", or its own line.
  const std::size_t last = entries.back().begin;
  const std::size_t before = text_.find_last_not_of(kSpace, last - 1);
  const std::string gap(text_.substr(before + 1, last - before - 1));
  if (gap.find('\n') != std::string::npos) {
    const std::string outer = indent_of_line(document_[collection].begin);
    const std::string inner = gap.substr(gap.rfind('\n') + 1);
    const bool is_deeper = inner.size() > outer.size() && inner.starts_with(outer);
    style.step = is_deeper ? inner.substr(outer.size()) : "  ";
    style.comma = ',' + gap.substr(gap.rfind('\n') - (gap.find('\r') != std::string::npos ? 1 : 0));
  } else if (entries.size() > 1) {
    style.comma = ',' + gap;
  } else if (style.colon == ":") {
    style.comma = ",";
  }
  return style;
}

void Editor::change_flow(NodeId collection, const Change& change) {
  const std::vector<Entry> entries = entries_of(collection, change);
  const char close = text_[document_[collection].end - 1];
  if ((close != '}' && close != ']') || entries.empty()) refuse_edit(document_[collection].begin);
  const bool is_emptied = std::ranges::all_of(entries, &Entry::is_removed);
  if (is_emptied && !change.added.empty()) refuse_edit(document_[collection].begin);
  if (is_emptied) {
    const std::size_t open = text_.find_last_not_of(kSpace, entries.front().begin - 1);
    edits_.push_back({open + 1, document_[collection].end - std::size_t{1}});
    return;
  }
  remove_from_flow(entries);
  if (change.added.empty()) return;
  const FlowStyle style = flow_style(collection);
  const std::string indent = style.has_lines() ? indent_of_line(entries.back().begin) : "";
  std::string added;
  for (const auto& [key, value] : change.added) {
    added += style.comma;
    if (!key.empty()) added += to_flow_string(key, style) + style.colon;
    added += to_flow(value, indent, style);
  }
  edits_.push_back({entries.back().end, entries.back().end, added});
}

/// Each entry goes with the comma before it; the first ones with the comma behind them. Comments
/// stay, and so does the comma before them.
void Editor::remove_from_flow(const std::vector<Entry>& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].is_removed) continue;
    std::size_t last = i;
    while (last + 1 < entries.size() && entries[last + 1].is_removed) ++last;
    std::size_t begin = entries[i].begin;
    std::size_t end = entries[last].end;
    const std::size_t before = i > 0 ? entries[i - 1].end : begin;
    const std::size_t behind = last + 1 < entries.size() ? entries[last + 1].begin : end;
    const bool has_comment =
        text_.substr(before, begin - before).find('#') != std::string_view::npos ||
        text_.substr(end, behind - end).find('#') != std::string_view::npos;
    if (has_comment) {
      const std::size_t comma = text_.find_first_not_of(kSpace, end);
      if (comma != std::string_view::npos && text_[comma] == ',') end = comma + 1;
      // No line of blanks stays.
      const std::size_t line = text_.find_last_not_of(kBlank, begin - 1) + 1;
      const std::size_t next = text_.find_first_not_of(kBlank, end);
      if (text_[line - 1] == '\n' && next != std::string_view::npos && text_[next] == '\n') {
        begin = line;
        end = next + 1;
      }
    } else if (i > 0) {
      begin = before;
    } else {
      end = behind;
    }
    edits_.push_back({begin, end});
    i = last;
  }
}

void Editor::replace_in_flow(NodeId value, const ordered_json& by) {
  const Node& old = document_[value];
  if (old.has_anchor || old.has_tag) refuse_edit(old.begin, kHasProperties);
  const NodeId parent = parents_.parent(value);
  const bool is_in_flow = parent != kNoNode && document_[parent].is_flow;
  const FlowStyle style = is_in_flow ? flow_style(parent) : FlowStyle{};
  const std::string indent = style.has_lines() ? indent_of_line(old.begin) : "";
  const std::string text = to_flow(by, indent, style);
  edits_.push_back({old.begin, old.end, (old.begin == old.end ? " " : "") + text});
}

}  // namespace winadmit::manifests
