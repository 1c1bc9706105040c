#include "cli/suppress/comment_edits.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "cli/suppress/comments.hpp"
#include "manifests/characters.hpp"
#include "manifests/edit.hpp"
#include "manifests/parse.hpp"
#include "text/json_pointer.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

using manifests::Document;
using manifests::Node;
using manifests::NodeId;
using manifests::TextEdit;

/// What findings are located at.
struct Field {
  std::string pointer;  // JSON Pointer, after the index of the root
  std::size_t offset;   // in the text
  bool has_fields;      // an object in a list: it is where its first field is
};

/// The fields that begin in some lines.
class FieldsOfLines {
 public:
  FieldsOfLines(const Document& document, const std::vector<IgnoreComment>& comments)
      : document_(document) {
    for (const IgnoreComment& each : comments) lines_[each.applies_to];
    for (std::size_t i = 0; i < document.roots().size(); ++i)
      visit_entry(document.roots()[i], std::to_string(i));
  }

  const std::vector<Field>& of(int line) const { return lines_.at(line); }

 private:
  void visit_entry(NodeId entry, const std::string& pointer) {
    add(entry, pointer, document_[entry].first != manifests::kNoNode);
    visit_children(entry, pointer);
  }

  void visit_children(NodeId parent, const std::string& pointer) {
    const Node::Kind kind = document_[parent].kind;
    if (kind == Node::Kind::sequence) {
      std::size_t index = 0;
      for (NodeId entry = document_[parent].first; entry != manifests::kNoNode;
           entry = document_[entry].next)
        visit_entry(entry, pointer + '/' + std::to_string(index++));
    } else if (kind == Node::Kind::mapping) {
      for (NodeId key = document_[parent].first; key != manifests::kNoNode;) {
        const NodeId value = document_[key].next;
        const std::string member = pointer + '/' + escape_pointer_token(document_[key].text);
        add(key, member, false);
        visit_children(value, member);
        key = document_[value].next;
      }
    }
  }

  void add(NodeId node, const std::string& pointer, bool has_fields) {
    const std::size_t offset = document_[node].begin;
    const auto line = lines_.find(document_.position(offset).line);
    if (line != lines_.end()) line->second.push_back({pointer, offset, has_fields});
  }

  const Document& document_;
  std::map<int, std::vector<Field>> lines_;
};

bool is_removed(std::size_t offset, const std::vector<TextEdit>& edits) {
  const auto after = std::ranges::upper_bound(edits, offset, {}, &TextEdit::begin);
  return after != edits.begin() && offset < std::prev(after)->end;
}

/// Those without entries for further rules of a comment.
std::vector<IgnoreComment> comments_of(const Document& document) {
  std::vector<IgnoreComment> comments = find_ignore_comments(document);
  const auto same = std::ranges::unique(comments, {}, &IgnoreComment::offset);
  comments.erase(same.begin(), same.end());
  return comments;
}

/// Whether a comment is for the same fields afterwards, its fields are removed, or it is for
/// others.
enum class Fate { same, lost, other };

/// Each field that stays has to be among those afterwards, and no other.
Fate fate_of(const std::vector<Field>& before, const std::vector<Field>& after,
             const std::vector<TextEdit>& edits) {
  std::set<std::string_view> left;
  bool is_any_removed = false, is_any_left = false;
  for (const Field& each : before) {
    const bool is_left = !is_removed(each.offset, edits);
    if (is_left) left.insert(each.pointer);
    if (each.has_fields) continue;
    is_any_left |= is_left;
    is_any_removed |= !is_left;
  }
  if (is_any_removed && !is_any_left) return Fate::lost;
  for (const Field& each : after) {
    if (left.erase(each.pointer) == 0) return Fate::other;
  }
  return left.empty() ? Fate::same : Fate::other;
}

/// Throws manifests::EditError if the edits remove a comment but not all of its fields. A comment
/// in the brackets of a removed value can be for a field after the value, in the same line.
void refuse_loss_of_comments(const std::vector<IgnoreComment>& comments,
                             const FieldsOfLines& fields, const std::vector<TextEdit>& edits) {
  std::set<int> lines;
  for (const IgnoreComment& each : comments) {
    if (!is_removed(each.offset, edits) || !lines.insert(each.applies_to).second) continue;
    if (!std::ranges::all_of(fields.of(each.applies_to),
                             [&](const Field& field) { return is_removed(field.offset, edits); }))
      manifests::refuse_edit(each.offset, "the comment is also for a field that stays");
  }
}

/// The comments on lines of their own that the edits remove.
std::vector<RemovedComment> find_removed_comments(const Document& document,
                                                  const std::vector<TextEdit>& edits) {
  std::vector<RemovedComment> removed;
  for (const TextEdit& edit : edits) {
    for (const std::size_t begin : find_comment_lines(document, edit.begin, edit.end)) {
      const std::string_view rest = document.text().substr(begin);
      const std::string_view line = rest.substr(0, rest.find_first_of("\r\n"));
      removed.push_back({.at = document.position(begin), .text = std::string(line)});
    }
  }
  return removed;
}

/// Removes the line with the comment; nothing if there is something else in it.
std::optional<TextEdit> line_removal(const Document& document, const IgnoreComment& comment) {
  const std::string_view text = document.text();
  const std::size_t begin = comment.offset - static_cast<std::size_t>(comment.column - 1);
  if (text.find_first_not_of(manifests::kBlank, begin) != comment.offset) return std::nullopt;
  return TextEdit{.begin = begin, .end = next_line_begin(text, comment.offset), .text = {}};
}

}  // namespace

std::vector<RemovedComment> remove_comments_of_removed(const Document& document,
                                                       std::vector<TextEdit>& edits,
                                                       const manifests::Limits& limits) {
  std::vector<RemovedComment> removed = find_removed_comments(document, edits);
  if (edits.empty()) return removed;
  std::vector<IgnoreComment> comments = comments_of(document);
  if (comments.empty()) return removed;
  const FieldsOfLines before(document, comments);
  refuse_loss_of_comments(comments, before, edits);
  std::erase_if(comments,
                [&](const IgnoreComment& each) { return is_removed(each.offset, edits); });
  if (comments.empty()) return removed;
  Document edited(apply_edits(document.text(), edits));
  manifests::parse(edited, limits.for_edited());
  const std::vector<IgnoreComment> comments_after = comments_of(edited);
  if (comments_after.size() != comments.size()) manifests::refuse_edit(comments.front().offset);
  const FieldsOfLines after(edited, comments_after);
  std::vector<TextEdit> all = edits;
  std::map<std::pair<int, int>, Fate> fates;  // by the lines before and after
  for (std::size_t i = 0; i < comments.size(); ++i) {
    const IgnoreComment& comment = comments[i];
    const std::pair lines(comment.applies_to, comments_after[i].applies_to);
    const auto [fate, is_new] = fates.try_emplace(lines, Fate::same);
    if (is_new) fate->second = fate_of(before.of(lines.first), after.of(lines.second), edits);
    const auto line = fate->second == Fate::lost ? line_removal(document, comment) : std::nullopt;
    if (line) {
      all.push_back(*line);
      removed.push_back(
          {.at = {.line = comment.line, .column = comment.column},
           .text = std::string(comment.text.substr(static_cast<std::size_t>(comment.column - 1)))});
    } else if (fate->second == Fate::other ||
               (fate->second == Fate::lost && !after.of(lines.second).empty())) {
      manifests::refuse_edit(comment.offset, "the comment would be for another field");
    }
  }
  if (!manifests::sort_edits(all)) manifests::refuse_edit(comments.front().offset);
  manifests::keep_missing_line_end(document.text(), all);
  edits = std::move(all);
  std::ranges::sort(removed, {}, [](const RemovedComment& each) {
    return std::pair(each.at.line, each.at.column);
  });
  return removed;
}

}  // namespace winadmit::cli
