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
    const std::size_t begin = document_[collection].begin;
    const std::size_t open = text_.find(close == '}' ? '{' : '[', properties_end(collection));
    const std::size_t end = document_[collection].end - std::size_t{1};
    std::size_t before = open + 1;
    for (const Entry& each : entries) {
      if (has_comment(before, each.begin)) refuse_edit(begin, kCommentInBrackets);
      before = each.end;
    }
    if (has_comment(before, end)) refuse_edit(begin, kCommentInBrackets);
    edits_.push_back({open + 1, end});
    return;
  }
  remove_from_flow(collection, entries);
  if (!change.added.empty()) append_to_flow(collection, entries.back(), change);
}

void Editor::append_to_flow(NodeId collection, const Entry& last, const Change& change) {
  const FlowStyle style = flow_style(collection);
  const std::string indent = style.has_lines() ? indent_of_line(last.begin) : "";
  std::string added;
  for (const auto& [key, value] : change.added) {
    added += style.comma;
    if (!key.empty()) added += to_flow_string(key, style) + style.colon;
    added += to_flow(value, indent, style);
  }
  std::size_t behind = text_.find_first_not_of(kBlank, last.end);
  const bool has_comma = text_[behind] == ',';  // the closing bracket is not far
  if (has_comma) behind = text_.find_first_not_of(kBlank, behind + 1);
  if (text_[behind] != '#') {
    edits_.push_back({last.end, last.end, added});
    return;
  }
  // The comment stays behind its entry.
  if (!style.has_lines()) refuse_edit(document_[collection].begin, kCommentInBrackets);
  if (!has_comma) edits_.push_back({last.end, last.end, ","});
  const std::size_t end = line_end(behind);
  edits_.push_back({end, end, added.substr(1) + (has_comma ? "," : "")});
}

/// Of a range between entries, where a "#" begins a comment.
bool Editor::has_comment(std::size_t begin, std::size_t end) const {
  return text_.substr(begin, end - begin).find('#') != std::string_view::npos;
}

/// Each entry goes with the comma before it; the first ones with the comma behind them. A comment
/// behind an entry that has its own line goes with it, as in a block. Other comments stay, and so
/// does the comma before them.
void Editor::remove_from_flow(NodeId collection, const std::vector<Entry>& entries) {
  const std::size_t close = document_[collection].end - std::size_t{1};
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].is_removed) continue;
    std::size_t last = i;
    while (last + 1 < entries.size() && entries[last + 1].is_removed) ++last;
    std::size_t begin = entries[i].begin;
    std::size_t end = entries[last].end;
    const std::size_t before = i > 0 ? entries[i - 1].end : begin;
    const bool is_last = last + 1 == entries.size();
    const std::size_t behind = is_last ? close : entries[last + 1].begin;
    const bool keeps_comma = has_comment(before, begin);
    if (keeps_comma || has_comment(end, behind)) {
      const std::size_t comma = text_.find_first_not_of(kSpace, end);
      if (text_[comma] == ',') end = comma + 1;
      const std::size_t line = text_.find_last_not_of(kBlank, begin - 1) + 1;
      const std::size_t next = text_.find_first_not_of(kBlank, end);
      if (text_[line - 1] == '\n' && (text_[next] == '\n' || text_[next] == '#')) {
        begin = line;
        end = next_line(next);
        if (is_last && i > 0 && !keeps_comma && text_[comma] != ',') {
          begin = before;
          end = line_end(next);
        }
      }
    } else if (i > 0) {
      begin = before;
    } else {
      end = is_last ? end : behind;
    }
    edits_.push_back({begin, end});
    i = last;
  }
}

void Editor::replace_in_flow(NodeId value, const ordered_json& by) {
  const Node& old = document_[value];
  if (old.has_anchor || old.has_tag) refuse_edit(old.begin, kHasProperties);
  if (old.is_flow && has_comment(old.begin, old.end)) refuse_edit(old.begin, kCommentInBrackets);
  const NodeId parent = parents_.parent(value);
  const bool is_in_flow = parent != kNoNode && document_[parent].is_flow;
  const FlowStyle style = is_in_flow ? flow_style(parent) : FlowStyle{};
  const std::string indent = style.has_lines() ? indent_of_line(old.begin) : "";
  const std::string text = to_flow(by, indent, style);
  edits_.push_back({old.begin, old.end, (old.begin == old.end ? " " : "") + text});
}

}  // namespace winadmit::manifests
