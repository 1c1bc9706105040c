#include "cli/fix/unified_diff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <span>

#include "cli/terminal/terminal.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

using manifests::TextEdit;
using Lines = std::vector<std::string_view>;

constexpr std::size_t kContext = 3;

/// With their ends.
Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t size = next_line_begin(text);
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

/// Whole lines that become other lines.
struct ChangedLines {
  std::size_t begin = 0;  // in the text
  std::size_t end = 0;
  std::string text = {};
  std::size_t first_line = 0;  // from 0
  std::size_t lines = 0;
};

class Diff {
 public:
  explicit Diff(std::string_view text) : text_(text), lines_(lines_of(text)) {
    begins_.reserve(lines_.size() + 1);
    begins_.push_back(0);
    for (const std::string_view line : lines_) {
      if (line.ends_with('\n')) begins_.push_back(begins_.back() + line.size());
    }
  }

  void add(const std::vector<TextEdit>& edits) {
    for (std::size_t i = 0; i < edits.size();) {
      ChangedLines made{.begin = line_begin(edits[i].begin), .end = whole_lines_end(edits[i])};
      std::size_t last = i + 1;
      for (bool is_whole = false; !is_whole;) {
        while (last < edits.size() && line_begin(edits[last].begin) <= made.end)
          made.end = std::max(made.end, whole_lines_end(edits[last++]));
        made.text = text_after(made, std::span(edits).subspan(i, last - i));
        is_whole = made.text.empty() || made.text.ends_with('\n') || made.end == text_.size();
        if (!is_whole) made.end = next_line(made.end);
      }
      changes_.push_back(std::move(made));
      i = last;
    }
    find_lines();
  }

  std::string text() {
    std::string diff;
    for (std::size_t i = 0; i < changes_.size();) {
      std::size_t last = i + 1;
      while (last < changes_.size() && gap_before(last) <= 2 * kContext) ++last;
      append_hunk(diff, std::span(changes_).subspan(i, last - i));
      i = last;
    }
    return diff;
  }

 private:
  std::size_t line_begin(std::size_t offset) const {
    return *std::prev(std::ranges::upper_bound(begins_, offset));
  }

  std::size_t next_line(std::size_t offset) const {
    const auto next = std::ranges::upper_bound(begins_, offset);
    return next == begins_.end() ? text_.size() : *next;
  }

  std::string text_after(const ChangedLines& lines, std::span<const TextEdit> edits) const {
    std::vector<TextEdit> inside(edits.begin(), edits.end());
    for (TextEdit& each : inside) {
      each.begin -= lines.begin;
      each.end -= lines.begin;
    }
    return apply_edits(text_.substr(lines.begin, lines.end - lines.begin), inside);
  }

  /// An edit that ends where a line begins, and leaves it so, does not touch that line.
  std::size_t whole_lines_end(const TextEdit& edit) const {
    const bool begins_line = line_begin(edit.begin) == edit.begin;
    const bool ends_line = line_begin(edit.end) == edit.end;
    const bool leaves_lines = edit.text.empty() ? begins_line : edit.text.ends_with('\n');
    if (ends_line && leaves_lines) return edit.end;
    return next_line(edit.end);
  }

  /// Counts lines, and leaves out those that stay.
  void find_lines() {
    std::size_t line = 0, offset = 0;
    for (ChangedLines& each : changes_) {
      for (; offset < each.begin; ++line) offset += lines_[line].size();
      each.first_line = line;
      for (; offset < each.end; ++line) offset += lines_[line].size();
      each.lines = line - each.first_line;
      const Lines made = lines_of(each.text);
      const auto given = std::span(lines_).subspan(each.first_line, each.lines);
      const std::size_t common = std::min(made.size(), given.size());
      std::size_t front = 0, back = 0;
      while (front < common && made[front] == given[front]) ++front;
      while (front + back < common &&
             made[made.size() - 1 - back] == given[given.size() - 1 - back])
        ++back;
      each.first_line += front;
      each.lines -= front + back;
      std::string text;
      for (std::size_t i = front; i < made.size() - back; ++i) text += made[i];
      each.text = std::move(text);
    }
    std::erase_if(changes_,
                  [](const ChangedLines& each) { return each.lines == 0 && each.text.empty(); });
  }

  std::size_t gap_before(std::size_t i) const {
    const ChangedLines& before = changes_[i - 1];
    return changes_[i].first_line - before.first_line - before.lines;
  }

  static void append_line(std::string& diff, char mark, std::string_view line) {
    diff += mark;
    diff += line;
    if (!line.ends_with('\n')) diff += "\n\\ No newline at end of file\n";
  }

  void append_context(std::string& diff, std::size_t first, std::size_t end) const {
    for (; first < end; ++first) append_line(diff, ' ', lines_[first]);
  }

  static std::string range(std::size_t first, std::size_t count) {
    if (count == 1) return std::to_string(first + 1);
    return std::to_string(count == 0 ? first : first + 1) + ',' + std::to_string(count);
  }

  void append_hunk(std::string& diff, std::span<const ChangedLines> hunk) {
    const ChangedLines& last = hunk.back();
    const std::size_t begin = hunk.front().first_line - std::min(kContext, hunk.front().first_line);
    const std::size_t end = std::min(last.first_line + last.lines + kContext, lines_.size());
    std::string body;
    std::ptrdiff_t added = 0;
    std::size_t line = begin;
    for (const ChangedLines& each : hunk) {
      append_context(body, line, each.first_line);
      line = each.first_line + each.lines;
      for (std::size_t i = each.first_line; i < line; ++i) append_line(body, '-', lines_[i]);
      const Lines made = lines_of(each.text);
      for (const std::string_view text : made) append_line(body, '+', text);
      added += static_cast<std::ptrdiff_t>(made.size()) - static_cast<std::ptrdiff_t>(each.lines);
    }
    append_context(body, line, end);
    const auto moved = [](std::size_t from, std::ptrdiff_t by) {
      return static_cast<std::size_t>(static_cast<std::ptrdiff_t>(from) + by);
    };
    diff += "@@ -" + range(begin, end - begin) + " +" +
            range(moved(begin, added_), moved(end - begin, added)) + " @@\n" + body;
    added_ += added;
  }

  std::string_view text_;
  Lines lines_;
  std::vector<std::size_t> begins_;  // of lines, in order; also where the next line would begin
  std::vector<ChangedLines> changes_;
  std::ptrdiff_t added_ = 0;  // lines, by the hunks before
};

/// In quotes with the escapes of C if a byte needs them, as git writes names.
std::string header_name(const std::string& name) {
  const auto is_special = [](unsigned char c) {
    return c < 0x20 || c >= 0x7F || c == '"' || c == '\\';
  };
  if (std::ranges::none_of(name, is_special)) {
    // Else patch(1) reads the name up to the space.
    return name.find(' ') == std::string::npos ? name : name + '\t';
  }
  std::string quoted = "\"";
  for (const char c : name) {
    if (c == '"' || c == '\\') {
      quoted.append({'\\', c});
    } else if (is_special(static_cast<unsigned char>(c))) {
      quoted += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

std::string unified_diff(const std::string& file, std::string_view text,
                         const std::vector<TextEdit>& edits) {
  Diff diff(text);
  diff.add(edits);
  const std::string hunks = diff.text();
  if (hunks.empty()) return {};
  std::string name = file;
  while (name.starts_with("./") || name.starts_with('/')) name.erase(0, name.find('/') + 1);
  return "--- " + header_name("a/" + name) + "\n+++ " + header_name("b/" + name) + '\n' + hunks;
}

std::string for_terminal(std::string_view diff, bool colour) {
  std::string text;
  for (std::string_view line : lines_of(diff)) {
    while (line.ends_with('\n') || line.ends_with('\r')) line.remove_suffix(1);
    const bool is_file = line.starts_with("--- ") || line.starts_with("+++ ");
    if (is_file && line.ends_with('\t')) line.remove_suffix(1);
    const std::string shown = printable(line);
    if (!colour || line.empty() || line.front() == ' ') {
      text += shown;
    } else if (is_file) {
      text += styled(Style::bold, shown);
    } else {
      text += styled(line.front() == '+'   ? Style::green
                     : line.front() == '-' ? Style::red
                                           : Style::cyan,
                     shown);
    }
    text += '\n';
  }
  return text;
}

}  // namespace winadmit::cli
