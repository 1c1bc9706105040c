#include "cli/suppress/comments.hpp"

#include <algorithm>
#include <optional>

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
std::optional<IgnoreComment> parse_line(const std::string& line) {
  const std::size_t mark = line.find(kMark);
  if (mark == std::string::npos) return std::nullopt;
  const std::size_t hash = line.rfind('#', mark);
  if (hash == std::string::npos || (hash > 0 && kSpace.find(line[hash - 1]) == kSpace.npos) ||
      line.find_first_not_of(kSpace, hash + 1) != mark) {
    return std::nullopt;
  }
  std::string_view rest = std::string_view(line).substr(mark + kMark.size());
  if (take_word(rest) != "ignore") return std::nullopt;
  IgnoreComment comment{.rule = std::string(take_word(rest)), .reason = {}};
  rest.remove_prefix(std::min(rest.find_first_not_of(kSpace), rest.size()));
  comment.reason = rest.substr(0, rest.find_last_not_of(kSpace) + 1);
  comment.column = static_cast<int>(hash) + 1;
  return comment;
}

bool is_comment(const std::string& line) {
  const std::size_t first = line.find_first_not_of(kSpace);
  return first != std::string::npos && line[first] == '#';
}

}  // namespace

std::vector<IgnoreComment> read_ignore_comments(std::istream& yaml) {
  std::vector<IgnoreComment> found;
  std::size_t waiting = 0;  // index of the first comment for the next line with a field
  std::string line;
  for (int number = 1; std::getline(yaml, line); ++number) {
    const bool is_alone = is_comment(line);
    if (!is_alone) {
      for (; waiting < found.size(); ++waiting) found[waiting].applies_to = number;
    }
    auto comment = parse_line(line);
    if (!comment) continue;
    comment->line = number;
    if (!is_alone) comment->applies_to = number;
    found.push_back(*std::move(comment));
    if (!is_alone) waiting = found.size();
  }
  return found;
}

}  // namespace winadmit::cli
