// Collections in blocks.
#include <algorithm>

#include "manifests/characters.hpp"
#include "manifests/edit.hpp"
#include "manifests/editor.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::ordered_json;

}  // namespace

/// Whether the entry begins after the dash of a list.
bool Editor::is_compact(const Entry& entry) const {
  return before_in_line(entry).find_first_not_of(kBlank) != std::string_view::npos;
}

void Editor::refuse_explicit_key(const Entry& entry) const {
  if (before_in_line(entry).find('?') != std::string_view::npos)
    refuse_edit(entry.begin, kExplicitKey);
}

std::string_view Editor::before_in_line(const Entry& entry) const {
  const std::size_t begin = line_begin(entry.begin);
  return text_.substr(begin, entry.begin - begin);
}

void Editor::change_block(NodeId collection, const Change& change) {
  if (document_[collection].kind == Node::Kind::sequence) {
    append_entries(collection, change);
    return;
  }
  const std::vector<Entry> entries = entries_of(collection, change);
  for (const Entry& each : entries) {
    const bool is_like_added = &each == &entries.front() && !change.added.empty();
    if (each.is_removed || is_like_added) refuse_explicit_key(each);
  }
  if (std::ranges::all_of(entries, &Entry::is_removed)) {
    if (!change.added.empty()) refuse_edit(entries.front().begin);
    empty_block(collection, entries);
    return;
  }
  const std::size_t first =
      entries.front().is_removed && is_compact(entries.front()) ? remove_compact(entries) : 0;
  for (std::size_t i = first; i < entries.size(); ++i) {
    if (entries[i].is_removed) remove_lines(entries[i]);
  }
  append_members(collection, change);
}

/// The whole lines of an entry, with a comment after it.
void Editor::remove_lines(const Entry& entry) {
  if (is_compact(entry)) refuse_edit(entry.begin);
  std::size_t end = entry.end;
  if (end == 0 || text_[end - 1] != '\n')
    end = next_line_begin(text_, end);  // a block of text has its line end
  edits_.push_back({line_begin(entry.begin), end});
}

/// The first entries of a mapping that begins after a dash: the next one, or a comment, moves up.
/// Returns the number of entries.
std::size_t Editor::remove_compact(const std::vector<Entry>& entries) {
  std::size_t count = 0;
  std::size_t end = entries.front().begin;
  while (count < entries.size() && entries[count].is_removed && entries[count].begin == end) {
    end = entries[count].end;
    if (text_[end - 1] != '\n') end = next_line_begin(text_, end);
    end = std::min(text_.find_first_not_of(kSpace, end), text_.size());
    ++count;
  }
  edits_.push_back({entries.front().begin, end});
  return count;
}

/// After the anchor and the tag of a node.
std::size_t Editor::properties_end(NodeId node) const {
  std::size_t at = document_[node].begin;
  std::size_t end = at;
  while (at < text_.size() && (text_[at] == '&' || text_[at] == '!')) {
    end = std::min(text_.find_first_of(kSpace, at), text_.size());
    at = std::min(text_.find_first_not_of(kBlank, end), text_.size());
  }
  return end;
}

/// Without entries, a mapping is {}.
void Editor::empty_block(NodeId mapping, const std::vector<Entry>& entries) {
  const bool has_properties = document_[mapping].has_anchor || document_[mapping].has_tag;
  if (is_compact(entries.front())) {
    if (has_properties) refuse_edit(document_[mapping].begin, kHasProperties);
    std::size_t end = entries.back().end;
    while (end > 0 && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
    edits_.push_back({entries.front().begin, end, "{}"});
    return;
  }
  const NodeId key = parents_.key(mapping);
  if (key == kNoNode && !has_properties) refuse_edit(document_[mapping].begin);
  const std::size_t place = has_properties ? properties_end(mapping) : colon_of(key) + 1;
  edits_.push_back({place, place, " {}"});
  for (const Entry& each : entries) remove_lines(each);
}

void Editor::append_members(NodeId mapping, const Change& change) {
  if (change.added.empty()) return;
  const std::size_t column = column_of(text_, document_[document_[mapping].first].begin);
  std::string lines;
  for (const auto& [key, value] : change.added) {
    if (!lines.empty()) lines += layout_.line_end;
    lines += std::string(column, ' ') + to_block_member(key, value, column, layout_);
  }
  insert_lines_after(document_[mapping].end, lines, column);
}

void Editor::append_entries(NodeId list, const Change& change) {
  const std::vector<Entry> entries = entries_of(list, change);
  const std::size_t content = entries.back().begin;
  const std::size_t dash = dash_before(text_, content);
  if (dash == std::string_view::npos) refuse_edit(content);
  const std::size_t column = column_of(text_, dash);
  const bool is_same_line = line_begin(dash) == line_begin(content);
  const std::size_t width = is_same_line ? content - dash : 2;
  std::string lines;
  for (const auto& [key, value] : change.added) {
    if (!lines.empty()) lines += layout_.line_end;
    lines += std::string(column, ' ') + '-' + std::string(width - 1, ' ') +
             to_block_entry(value, column + width, layout_);
  }
  // A comment at the column of the dash may be about the next key of the mapping around.
  insert_lines_after(document_[list].end, lines, column + 1);
}

void Editor::insert_lines_after(std::size_t offset, const std::string& lines, std::size_t column) {
  if (offset == 0 || text_[offset - 1] != '\n') offset = next_line_begin(text_, offset);
  offset = after_comments(offset, column);
  if (offset == text_.size() && !text_.ends_with('\n')) {
    edits_.push_back({offset, offset, layout_.line_end + lines});
    return;
  }
  edits_.push_back({offset, offset, lines + layout_.line_end});
}

void Editor::replace_in_block(NodeId key, NodeId value, const ordered_json& by) {
  const Node& old = document_[value];
  const std::size_t colon = colon_of(key);
  if (old.has_anchor || old.has_tag) refuse_edit(old.begin, kHasProperties);
  const bool is_same_line = line_begin(colon) == line_begin(old.end);
  const std::string_view before = text_.substr(colon, old.end - colon);
  if (!is_same_line && before.find('#') != std::string_view::npos)
    refuse_edit(old.begin, kCommentInside);
  if (old.end > colon + 1) edits_.push_back({colon + 1, old.end});
  const std::size_t end = line_end(old.end);
  const std::size_t column = column_of(text_, document_[key].begin);
  edits_.push_back({end, end, to_block(by, column, layout_)});
}

}  // namespace winadmit::manifests
