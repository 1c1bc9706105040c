#include "export/cel/cel_text.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace winadmit {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

}  // namespace

std::string cel_string(std::string_view text) {
  std::string literal = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') literal += '\\';
    literal += c;
  }
  return literal + '\'';
}

std::string pattern_of_text(std::string_view text) {
  std::string pattern;
  for (const char c : text) pattern += c == '.' ? std::string("[.]") : std::string(1, c);
  return pattern;
}

std::string fill(std::string_view text,
                 const std::vector<std::pair<std::string_view, std::string>>& values) {
  std::string filled;
  for (;;) {
    // A '$' before another character is the end of a regular expression.
    std::size_t at = 0;
    while ((at = text.find('$', at)) != text.npos &&
           !(at + 1 < text.size() && is_letter(text[at + 1]))) {
      ++at;
    }
    filled += text.substr(0, at);
    if (at == text.npos) return filled;
    text.remove_prefix(at);
    const auto end = std::find_if_not(text.begin() + 1, text.end(), is_letter);
    const std::string_view name(text.begin(), end);
    const auto value =
        std::ranges::find(values, name, &std::pair<std::string_view, std::string>::first);
    filled += value == values.end() ? name : value->second;
    text.remove_prefix(name.size());
  }
}

std::string grouped(std::string text) {
  int depth = 0;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote != 0) {
      if (c == '\\') ++i;
      if (c == quote) quote = 0;
    } else if (c == '\'' || c == '"') {
      quote = c;
    } else if (c == '(' || c == '[' || c == '{') {
      ++depth;
    } else if (c == ')' || c == ']' || c == '}') {
      --depth;
    } else if (c == ' ' && depth == 0) {
      return '(' + text + ')';
    }
  }
  return text;
}

std::string joined_by(std::string_view op, const std::vector<std::string>& expressions) {
  if (expressions.size() == 1) return expressions.front();
  std::vector<std::string> all;
  all.reserve(expressions.size());
  for (const std::string& each : expressions) all.push_back(grouped(each));
  return fmt::format("({})", fmt::join(all, op));
}

}  // namespace winadmit
