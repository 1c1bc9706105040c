#include "text/log_commands.hpp"

#include <algorithm>
#include <array>

#include "text/text.hpp"

namespace winadmit {
namespace {

/// What .NET's String.TrimStart removes, apart from line ends; and the byte order mark, which its
/// StreamReader removes.
constexpr auto kSpaces = std::to_array<std::string_view>(
    {" ",      "\t",     "\v",     "\f",     "\u0085", "\u00A0", "\u1680", "\u2000",
     "\u2001", "\u2002", "\u2003", "\u2004", "\u2005", "\u2006", "\u2007", "\u2008",
     "\u2009", "\u200A", "\u2028", "\u2029", "\u202F", "\u205F", "\u3000", "\uFEFF"});

/// Where the bracket of a command is, from `begin` on.
std::size_t find_command_bracket(std::string_view text, std::size_t begin) {
  std::size_t at = text.find('[', begin);
  for (; at != text.npos; at = text.find('[', at + 1)) {
    std::size_t word = at;
    while (word > 0 && is_alphanumeric(text[word - 1])) --word;
    if (text.substr(0, word).ends_with("##")) break;
  }
  return at;
}

/// GitLab needs an escape character. A reader that sees a byte order mark of UTF-16 decodes
/// another text. Not find_first_of: clang 19 with optimization finds no byte above 0x7f with it.
bool has_control(std::string_view line) {
  return std::ranges::any_of(
      line, [](char each) { return each == '\x1b' || each == '\xfe' || each == '\xff'; });
}

/// Of a whole line. "::1 localhost" is none: a second "::" ends the name of a command.
bool is_command(std::string_view line) {
  return begins_with_command(line) && line.find("::", line.find("::") + 2) != line.npos;
}

}  // namespace

std::string escape_command_brackets(std::string text, std::string_view escape) {
  std::size_t at = find_command_bracket(text, 0);
  if (at == text.npos) return text;
  std::string safe;
  std::size_t begin = 0;
  for (; at != text.npos; at = find_command_bracket(text, begin)) {
    safe.append(text, begin, at - begin).append(escape);
    begin = at + 1;
  }
  return safe.append(text, begin);
}

bool begins_with_command(std::string_view line) {
  for (const auto* space = kSpaces.begin(); space != kSpaces.end();) {
    space = std::ranges::find_if(kSpaces, [&](auto each) { return line.starts_with(each); });
    if (space != kSpaces.end()) line.remove_prefix(space->size());
  }
  return line.starts_with("::");
}

std::size_t find_log_command(std::string_view text) {
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t size = next_line_begin(text);
    for (std::string_view line = text.substr(0, size); !line.empty();) {
      const std::string_view part = line.substr(0, line.find('\r'));
      if (is_command(part) || has_control(part) || find_command_bracket(part, 0) != part.npos)
        return number;
      line.remove_prefix(std::min(part.size() + 1, line.size()));
    }
    text.remove_prefix(size);
  }
  return 0;
}

}  // namespace winadmit
