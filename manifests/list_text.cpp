#include "manifests/list_text.hpp"

#include <algorithm>

#include "manifests/characters.hpp"
#include "manifests/document.hpp"
#include "manifests/parse_yaml.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

constexpr std::size_t kNone = std::string_view::npos;
constexpr std::string_view kItems = "items";

std::size_t skip_space(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(kSpace, at), text.size());
}

/// Behind blanks and the end of the line, if nothing else is in it.
std::size_t skip_rest_of_line(std::string_view text, std::size_t at) {
  const std::size_t end = text.find_first_not_of(kBlankOrReturn, at);
  return end != kNone && text[end] == '\n' ? end + 1 : at;
}

/// Behind the key, the colon and the space around it; kNone if that is not there. `key` becomes its
/// text without quotes.
std::size_t skip_json_key(std::string_view text, std::size_t at, std::string_view& key) {
  if (at >= text.size() || text[at] != '"') return kNone;
  const std::size_t end = JsonValueEnd(at).find(text);
  if (end == kNone) return kNone;
  key = text.substr(at + 1, end - at - 2);
  const std::size_t colon = skip_space(text, end);
  return colon < text.size() && text[colon] == ':' ? skip_space(text, colon + 1) : kNone;
}

/// Behind the bracket of the items; kNone if there is none.
std::size_t find_json_items(std::string_view text) {
  for (std::size_t at = skip_space(text, 0); at < text.size();) {
    std::string_view key;
    at = skip_json_key(text, skip_space(text, at + 1), key);  // behind { or a comma
    if (at == kNone || at == text.size()) return kNone;
    if (key == kItems) return text[at] == '[' ? at + 1 : kNone;
    at = JsonValueEnd(at).find(text);
    if (at == kNone) return kNone;
    at = skip_space(text, at);
    if (at < text.size() && text[at] != ',') return kNone;
  }
  return kNone;
}

/// What a line is for a list whose dashes are at a column.
enum class Line { blank, comment, dash, inner, outer };

Line kind_of(std::string_view line, std::size_t dash) {
  const std::size_t indentation = std::min(line.find_first_not_of(' '), line.size());
  const std::string_view content = line.substr(indentation);
  if (is_all_space(content)) return Line::blank;
  if (indentation > dash) return Line::inner;
  if (content.front() == '#') return Line::comment;
  const bool is_dash = content.front() == '-' && is_all_space(content.substr(1, 1));
  return indentation == dash && is_dash ? Line::dash : Line::outer;
}

/// The column of the first dash in the text; kNone if something else is there.
std::size_t find_first_dash(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at = next_line_begin(text, at)) {
    const std::size_t first = text.find_first_not_of(' ', at);
    const std::string_view line = text.substr(at, next_line_begin(text, at) - at);
    if (is_all_space(line) || line[first - at] == '#') continue;
    return kind_of(line, first - at) == Line::dash ? first - at : kNone;
  }
  return kNone;
}

/// Behind the line "items:"; kNone if there is none.
std::size_t find_yaml_items(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); at = next_line_begin(text, at)) {
    std::string_view line = text.substr(at, next_line_begin(text, at) - at);
    if (!line.starts_with(kItems) || line.substr(kItems.size(), 1) != ":") continue;
    const std::size_t end = at + line.size();
    line.remove_prefix(kItems.size() + 1);
    const bool has_comment = is_all_space(line.substr(0, 1)) && trim(line).starts_with('#');
    return is_all_space(line) || has_comment ? end : kNone;
  }
  return kNone;
}

}  // namespace

std::size_t JsonValueEnd::find(std::string_view text) {
  for (; at_ < text.size(); ++at_) {
    const char c = text[at_];
    if (is_string_) {
      if (c == '\\') {
        ++at_;
      } else if (c == '"') {
        is_string_ = false;
        if (depth_ == 0) return ++at_;
      }
    } else if (c == '"') {
      is_string_ = true;
    } else if (c == '{' || c == '[') {
      ++depth_;
    } else if (c == '}' || c == ']') {
      if (depth_ == 0) return at_;
      if (--depth_ == 0) return ++at_;
    } else if (depth_ == 0 && (c == ',' || kSpace.find(c) != kNone)) {
      return at_;
    }
  }
  return kNone;
}

std::optional<ListText> ListText::begin(std::string_view text, bool is_json, std::size_t& size) {
  size = is_json ? find_json_items(text) : find_yaml_items(text);
  if (size == kNone) return std::nullopt;
  if (is_json) {
    size = skip_rest_of_line(text, size);
    return ListText(true);
  }
  const std::size_t dash = find_first_dash(text.substr(size));
  return dash == kNone ? std::nullopt : std::optional(ListText(false, dash));
}

std::optional<ListItem> ListText::next_item(std::string_view text, bool is_end) {
  return is_json_ ? next_json(text, is_end) : next_yaml(text, is_end);
}

std::optional<ListItem> ListText::next_json(std::string_view text, bool is_end) {
  const std::size_t begin = skip_space(text, 0);
  if (begin < text.size() && text[begin] == ']' && !needs_item_) return ListItem();
  const std::size_t end = JsonValueEnd(begin).find(text);
  const std::size_t next = end == kNone ? text.size() : skip_space(text, end);
  // Up to a character in the next line, so that the end of this one is known.
  if (!is_end && skip_space(text, next + 1) >= text.size()) return std::nullopt;
  if (next >= text.size()) throw ParseError(begin, "the list has no end");
  if (end == begin) throw ParseError(begin, "expected a JSON value");
  if (text[next] != ',' && text[next] != ']') throw ParseError(next, "expected ',' or ']'");
  needs_item_ = text[next] == ',';
  const std::size_t size = skip_rest_of_line(text, needs_item_ ? next + 1 : end);
  return ListItem{.size = size, .tail = size - end};
}

std::optional<ListItem> ListText::next_yaml(std::string_view text, bool is_end) const {
  bool has_dash = false;
  std::size_t comments = kNone;  // behind the item so far
  for (std::size_t at = 0; at < text.size(); at = next_line_begin(text, at)) {
    const std::size_t end = next_line_begin(text, at);
    if (!is_end && text[end - 1] != '\n') return std::nullopt;
    const std::string_view line = text.substr(at, end - at);
    const Line kind = line.starts_with(kSeparator) ? Line::outer : kind_of(line, dash_);
    if (kind == Line::comment) comments = std::min(comments, at);
    if (kind == Line::inner || (kind == Line::dash && !has_dash)) comments = kNone;
    if (kind == Line::outer && !has_dash) return ListItem();
    if (kind == Line::outer || (kind == Line::dash && has_dash))
      return ListItem{.size = std::min(comments, at)};
    has_dash |= kind == Line::dash;
  }
  if (!is_end) return std::nullopt;
  return ListItem{.size = has_dash ? std::min(comments, text.size()) : 0};
}

std::optional<std::size_t> ListText::find_size_of_rest(std::string_view text, bool is_end) const {
  if (is_json_) {
    const std::size_t end = JsonValueEnd(skip_space(text, 0) + 1, 1).find(text);
    if (end == kNone && is_end) throw ParseError(0, "the list has no end");
    const bool is_cut = end == kNone || (!is_end && skip_space(text, end) == text.size());
    return is_cut ? std::nullopt : std::optional(skip_rest_of_line(text, end));
  }
  for (std::size_t at = 0; at < text.size(); at = next_line_begin(text, at)) {
    if (text.substr(at).starts_with(kSeparator)) return at;
  }
  return is_end ? std::optional(text.size()) : std::nullopt;
}

std::string ListText::as_object_after(std::string_view part) const {
  std::string object(part);
  const std::size_t bracket = skip_space(part, 0);
  object[bracket] = '{';
  const std::size_t next = skip_space(part, bracket + 1);
  if (next < part.size() && part[next] == '}') return object;
  const std::size_t key = skip_space(part, next + 1);
  if (next >= part.size() || part[next] != ',' || key >= part.size() || part[key] != '"')
    throw ParseError(next, "expected ',' or '}'");
  object[next] = ' ';
  return object;
}

}  // namespace winadmit::manifests
