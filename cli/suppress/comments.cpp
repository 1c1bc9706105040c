#include "cli/suppress/comments.hpp"

#include <algorithm>
#include <ranges>
#include <string_view>
#include <utility>

#include "manifests/characters.hpp"
#include "manifests/utf8.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kRuleEnd = " \t\r,:";

bool is_space(char c) {
  return manifests::kBlankOrReturn.find(c) != manifests::kBlankOrReturn.npos;
}

void skip_space(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(manifests::kBlankOrReturn), text.size()));
}

/// Removes the next word, which ends before one of `ends`.
std::string_view take_word(std::string_view& text, std::string_view ends) {
  skip_space(text);
  const std::string_view word = text.substr(0, text.find_first_of(ends));
  text.remove_prefix(word.size());
  return word;
}

/// Parses what is after the mark, "ignore host-pid, host-ipc: reason". The colon may be left out.
/// One comment for each rule; none if the text is another.
std::vector<IgnoreComment> parse_ignore(std::string_view text) {
  std::vector<IgnoreComment> comments;
  if (take_word(text, manifests::kBlankOrReturn) != "ignore") return comments;
  for (bool is_list = true; is_list;) {
    comments.push_back({.rule = std::string(take_word(text, kRuleEnd)), .reason = {}, .text = {}});
    skip_space(text);
    is_list = text.starts_with(',');
    if (is_list || text.starts_with(':')) text.remove_prefix(1);
  }
  const std::string_view reason = trim(text);
  for (IgnoreComment& each : comments) each.reason = reason;
  return comments;
}

/// The `#` before the mark, or the first of several, if it begins a comment, at the start of a line
/// or after a space; else npos.
std::size_t find_hash(std::string_view line, std::size_t mark) {
  std::size_t hash =
      mark == 0 ? line.npos : line.find_last_not_of(manifests::kBlankOrReturn, mark - 1);
  if (hash == line.npos || line[hash] != '#') return line.npos;
  while (hash > 0 && line[hash - 1] == '#') --hash;
  const std::string_view before = line.substr(0, hash);
  const bool begins_comment =
      before.empty() || is_space(before.back()) || before == manifests::kByteOrderMark;
  return begins_comment ? hash : line.npos;
}

/// Whether the line has no field: it is blank or a comment.
bool has_no_field(std::string_view line) {
  line = manifests::without_byte_order_mark(line);
  const std::size_t first = line.find_first_not_of(manifests::kBlankOrReturn);
  return first == line.npos || line[first] == '#';
}

/// Whether the offset is in the line of `|` or `>`, with which a block begins.
bool is_in_header(std::string_view text, const manifests::Node& scalar, std::size_t offset) {
  std::string_view before = text.substr(scalar.begin, offset - scalar.begin);
  while (before.starts_with('&') || before.starts_with('!')) {  // an anchor, a tag
    take_word(before, manifests::kSpace);
    skip_space(before);
  }
  return (before.starts_with('|') || before.starts_with('>')) && before.find('\n') == before.npos;
}

/// Whether the text at the offset is a part of a value: a block or a string has no comments.
bool is_in_scalar(const manifests::Document& document, std::size_t offset) {
  const std::ranges::iota_view ids(manifests::NodeId{0},
                                   static_cast<manifests::NodeId>(document.size()));
  // Nodes are in the order of the text.
  const auto after = std::ranges::partition_point(
      ids, [&](manifests::NodeId id) { return document[id].begin <= offset; });
  if (*after == 0) return false;
  const manifests::Node& last = document[*after - 1];
  return last.kind == manifests::Node::Kind::scalar && offset < last.end &&
         !is_in_header(document.text(), last, offset);
}

/// Those of the first mark in the line that begins a comment. The line is in the document.
std::vector<IgnoreComment> comments_in(const manifests::Document& document, std::string_view line) {
  const auto begin = static_cast<std::size_t>(line.data() - document.text().data());
  for (std::size_t mark = line.find(kCommentMark); mark != line.npos;
       mark = line.find(kCommentMark, mark + 1)) {
    const std::size_t hash = find_hash(line, mark);
    if (hash == line.npos || is_in_scalar(document, begin + hash)) continue;
    std::vector<IgnoreComment> comments = parse_ignore(line.substr(mark + kCommentMark.size()));
    for (IgnoreComment& each : comments) {
      each.column = static_cast<int>(hash) + 1;
      each.text = line.substr(0, line.find_last_not_of('\r') + 1);
    }
    if (!comments.empty()) return comments;
  }
  return {};
}

}  // namespace

std::vector<IgnoreComment> find_ignore_comments(const manifests::Document& document) {
  std::vector<IgnoreComment> found;
  const std::string_view text = document.text();
  if (document.is_json() || text.find(kCommentMark) == text.npos) return found;
  std::size_t waiting = 0;  // index of the first comment for the next line with a field
  int number = document.position(0).line;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    for (IgnoreComment& each : comments_in(document, line)) {
      each.line = number;
      found.push_back(std::move(each));
    }
    if (has_no_field(line)) continue;
    for (; waiting < found.size(); ++waiting) found[waiting].applies_to = number;
  }
  return found;
}

}  // namespace winadmit::cli
