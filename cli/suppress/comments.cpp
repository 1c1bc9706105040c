#include "cli/suppress/comments.hpp"

#include <algorithm>
#include <optional>
#include <ranges>
#include <string_view>
#include <utility>

namespace winadmit::cli {
namespace {

constexpr std::string_view kMark = "winadmit:";
constexpr std::string_view kSpace = " \t\r";

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  const std::string_view word = text.substr(0, text.find_first_of(kSpace));
  text.remove_prefix(word.size());
  return word;
}

/// A `#` begins a comment at the start of a line or after a space.
std::optional<IgnoreComment> parse_line(std::string_view line) {
  const std::size_t mark = line.find(kMark);
  if (mark == line.npos) return std::nullopt;
  const std::size_t hash = line.rfind('#', mark);
  if (hash == line.npos || (hash > 0 && kSpace.find(line[hash - 1]) == kSpace.npos) ||
      line.find_first_not_of(kSpace, hash + 1) != mark) {
    return std::nullopt;
  }
  std::string_view rest = line.substr(mark + kMark.size());
  if (take_word(rest) != "ignore") return std::nullopt;
  IgnoreComment comment{.rule = std::string(take_word(rest)), .reason = {}, .text = {}};
  rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
  comment.reason = rest.substr(0, rest.find_last_not_of(kSpace) + 1);
  comment.column = static_cast<int>(hash) + 1;
  comment.text = line.substr(0, line.find_last_not_of('\r') + 1);
  return comment;
}

bool is_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(kSpace);
  return first != line.npos && line[first] == '#';
}

/// Whether the text at the offset is a part of a value: a block or a string has no comments.
bool is_in_scalar(const manifests::Document& document, std::size_t offset) {
  const std::ranges::iota_view ids(manifests::NodeId{0},
                                   static_cast<manifests::NodeId>(document.size()));
  // Nodes are in the order of the text.
  const auto behind = std::ranges::partition_point(
      ids, [&](manifests::NodeId id) { return document[id].begin <= offset; });
  if (*behind == 0) return false;
  const manifests::Node& last = document[*behind - 1];
  return last.kind == manifests::Node::Kind::scalar && offset < last.end;
}

}  // namespace

std::vector<IgnoreComment> find_ignore_comments(const manifests::Document& document) {
  std::vector<IgnoreComment> found;
  const std::string_view text = document.text();
  if (document.is_json() || text.find(kMark) == text.npos) return found;
  std::size_t waiting = 0;  // index of the first comment for the next line with a field
  int number = document.position(0).line;
  for (std::size_t begin = 0; begin < text.size(); ++number) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    const std::size_t line_begin = std::exchange(begin, end + 1);
    const bool is_alone = is_comment(line);
    if (!is_alone) {
      for (; waiting < found.size(); ++waiting) found[waiting].applies_to = number;
    }
    auto comment = parse_line(line);
    if (!comment) continue;
    const auto hash = line_begin + static_cast<std::size_t>(comment->column - 1);
    if (is_in_scalar(document, hash)) continue;
    comment->line = number;
    if (!is_alone) comment->applies_to = number;
    found.push_back(*std::move(comment));
    if (!is_alone) waiting = found.size();
  }
  return found;
}

}  // namespace winadmit::cli
