// Collections in brackets.
#include <algorithm>

#include "manifests/characters.hpp"
#include "manifests/edit.hpp"
#include "manifests/editor.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::ordered_json;

}  // namespace

/// The last entry of a list if it is a mapping in brackets that is not empty; else kNoNode.
NodeId Editor::last_flow_mapping(NodeId list) const {
  if (document_[list].kind != Node::Kind::sequence) return kNoNode;
  NodeId last = document_[list].first;
  while (document_[last].next != kNoNode) last = document_[last].next;
  const Node& node = document_[last];
  const bool is_mapping = node.kind == Node::Kind::mapping && node.is_flow;
  return is_mapping && node.first != kNoNode ? last : kNoNode;
}

bool Editor::closes_on_own_line(NodeId collection) const {
  const std::size_t close = document_[collection].end - std::size_t{1};
  return line_begin(close) + indent_of_line(close).size() == close;
}

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
    const std::size_t after = text_.find(':', document_[first].end) + 1;  // npos + 1 is 0
    if (style.is_json && after > 0 && after < text_.size() &&
        kSpace.find(text_[after]) == std::string_view::npos)
      style.colon = ":";
    const std::size_t inside = text_.find('{', document_[collection].begin) + 1;
    style.padding = text_.substr(inside, document_[first].begin - inside);
    if (style.padding.find_first_not_of(' ') != std::string::npos) style.padding.clear();
  } else if (parent != kNoNode && document_[parent].is_flow) {
    const FlowStyle outer = flow_style(parent);
    style.is_json = outer.is_json;
    style.colon = outer.colon;
    style.padding = outer.padding;
  }
  // What is before the last entry: as in "{a: 1, b: 2}", or its own line.
  const std::size_t last = entries.back().begin;
  const std::size_t before = text_.find_last_not_of(kSpace, last - 1);
  const std::string gap(text_.substr(before + 1, last - before - 1));
  if (gap.find('\n') != std::string::npos) {
    const Node& node = document_[collection];
    const std::string outer =
        indent_of_line(closes_on_own_line(collection) ? node.end - std::size_t{1} : node.begin);
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
  const std::size_t close = document_[collection].end - std::size_t{1};
  if (text_[close] != '}' && text_[close] != ']') refuse_edit(document_[collection].begin);
  if (entries.empty()) {  // replaced as a value unless it has an anchor or a tag
    refuse_edit(document_[collection].begin, kHasProperties);
  }
  if (std::ranges::all_of(entries, &Entry::is_removed)) {
    if (!change.added.empty()) refuse_edit(document_[collection].begin);
    empty_flow(collection, entries);
    return;
  }
  const std::size_t before = edits_.size();
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!entries[i].is_removed) continue;
    const std::size_t first = i;
    while (i + 1 < entries.size() && entries[i + 1].is_removed) ++i;
    const std::size_t begin = first > 0 ? entries[first - 1].end : entries[first].begin;
    const std::size_t end = i + 1 < entries.size() ? entries[i + 1].begin : close;
    const std::vector<Entry> removed(entries.begin() + static_cast<std::ptrdiff_t>(first),
                                     entries.begin() + static_cast<std::ptrdiff_t>(i + 1));
    if (has_comment(begin, removed, end)) {
      remove_beside_comments(removed);
    } else if (first > 0) {  // with the comma before them
      edits_.push_back({begin, removed.back().end});
    } else {
      edits_.push_back({begin, end});
    }
  }
  if (change.added.empty()) return;
  const std::size_t count = edits_.size();
  append_to_flow(collection, entries, change);
  for (std::size_t added = count; added < edits_.size(); ++added) {
    const std::size_t place = edits_[added].begin;
    for (std::size_t i = before; i < count; ++i) {
      if (edits_[i].begin < place && place < edits_[i].end) {
        refuse_edit(place, kCommentAtRemovedEnd);
      }
    }
  }
}

/// Whether a comment is between the offsets, but in none of the entries there.
bool Editor::has_comment(std::size_t begin, const std::vector<Entry>& entries,
                         std::size_t end) const {
  const auto is_in = [this](std::size_t from, std::size_t to) {
    return text_.substr(from, to - from).find('#') != std::string_view::npos;
  };
  for (const Entry& each : entries) {
    if (is_in(begin, each.begin)) return true;
    begin = each.end;
  }
  return is_in(begin, end);
}

/// Each entry goes with the comma after it, and with the comment after it if nothing else is in
/// that line. Other comments stay, and so does the comma before the entries.
void Editor::remove_beside_comments(const std::vector<Entry>& entries) {
  bool begins_line = false;
  std::size_t end = 0;  // of what was removed
  for (const Entry& each : entries) {
    const std::size_t blank = text_.find_last_not_of(kBlankOrReturn, each.begin - 1) + 1;
    const bool is_after_removed = begins_line && line_begin(each.begin) == line_begin(end);
    begins_line = is_after_removed || blank == line_begin(each.begin);
    end = each.end;
    const std::size_t comma = text_.find_first_not_of(kSpace, end);
    if (comma != std::string_view::npos && text_[comma] == ',') end = comma + 1;
    std::size_t next = std::min(text_.find_first_not_of(kBlankOrReturn, end), text_.size());
    if (!begins_line) {
      edits_.push_back({next > end || text_[next] == '\n' ? blank : each.begin, end});
      continue;
    }
    if (text_[next] == '#') next = line_end(next);
    const bool is_whole_line = text_[next] == '\n' || text_[next] == '\r';
    edits_.push_back(is_whole_line ? TextEdit{line_begin(each.begin), next_line_begin(text_, next)}
                                   : TextEdit{each.begin, next});
  }
}

/// Removes all that is in the brackets except comments that belong to no entry.
void Editor::empty_flow(NodeId collection, const std::vector<Entry>& entries) {
  const std::size_t close = document_[collection].end - std::size_t{1};
  const std::size_t open = properties_end(collection);
  const std::size_t inside = text_.find_first_of("{[", open) + 1;
  if (has_comment(inside, entries, close)) {
    const auto before = static_cast<std::ptrdiff_t>(edits_.size());
    remove_beside_comments(entries);
    std::vector<TextEdit> made(edits_.begin() + before, edits_.end());
    sort_edits(made);
    for (TextEdit& each : made) {
      each.begin -= inside;
      each.end -= inside;
    }
    const std::string left = apply_edits(text_.substr(inside, close - inside), made);
    if (left.find('#') != std::string::npos) return;
    edits_.resize(static_cast<std::size_t>(before));
  }
  edits_.push_back({inside, close});
}

/// After the comments of the last entry.
void Editor::append_to_flow(NodeId collection, const std::vector<Entry>& entries,
                            const Change& change) {
  const std::size_t close = document_[collection].end - std::size_t{1};
  const std::size_t end = entries.back().end;
  const FlowStyle style = flow_style(collection);
  const NodeId like = last_flow_mapping(collection);
  FlowStyle inner = like == kNoNode ? style : flow_style(like);
  std::string indent;
  if (like != kNoNode) {
    indent = indent_of_line(document_[like].end - std::size_t{1});
    // As deep as the last member: YAML 1.2 has brackets deeper than the key before them.
    if (!closes_on_own_line(like)) inner.step.clear();
  } else if (style.has_lines()) {
    indent = indent_of_line(entries.back().begin);
  }
  std::vector<std::string> members;
  for (const auto& [key, value] : change.added) {
    members.push_back(key.empty() ? "" : to_flow_string(key, style) + style.colon);
    members.back() += to_flow(value, indent, inner);
  }
  if (!has_comment(end, {}, close)) {
    std::string added;
    for (const std::string& each : members) added += style.comma + each;
    edits_.push_back({end, end, added});
    return;
  }
  std::size_t place = end;
  bool has_comma = false;
  for (std::size_t at = end; at < close; ++at) {
    if (text_[at] == ',') {
      has_comma = true;
      place = at + 1;
    } else if (text_[at] == '#') {
      at = place = line_end(at);
    }
  }
  const std::string line = style.has_lines()
                               ? style.comma.substr(1)
                               : layout_.line_end + indent_of_line(entries.back().begin) + "  ";
  if (!has_comma) edits_.push_back({end, end, ","});
  std::string added;
  for (const std::string& each : members) added += (added.empty() ? "" : ",") + line + each;
  edits_.push_back({place, place, added + (has_comma ? "," : "")});
}

void Editor::replace_in_flow(NodeId value, const ordered_json& by) {
  const Node& old = document_[value];
  if (old.has_anchor || old.has_tag) refuse_edit(old.begin, kHasProperties);
  if (has_comment(old.begin, {}, old.end)) refuse_edit(old.begin, kCommentInside);
  const NodeId parent = parents_.parent(value);
  const bool is_in_flow = parent != kNoNode && document_[parent].is_flow;
  const FlowStyle style = is_in_flow ? flow_style(parent) : FlowStyle{};
  const std::string indent = style.has_lines() ? indent_of_line(old.begin) : "";
  const std::string text = to_flow(by, indent, style);
  edits_.push_back({old.begin, old.end, (old.begin == old.end ? " " : "") + text});
}

}  // namespace winadmit::manifests
