#include "text/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "text/log_commands.hpp"
#include "text/text.hpp"

namespace winadmit {
namespace {

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

/// What hides or moves text: Unicode's general categories Cc, Zl and Zp; code points with
/// Default_Ignorable_Code_Point, but not the variation selectors FE00 to FE0F; FFF0 to FFFB; and
/// the noncharacters of the Basic Multilingual Plane.
constexpr auto kEscaped = std::to_array<Range>({
    {0x00, 0x1F},     {0x7F, 0x9F},     {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},
    {0x115F, 0x1160}, {0x17B4, 0x17B5}, {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},
    {0x2060, 0x206F}, {0x3164, 0x3164}, {0xFDD0, 0xFDEF},   {0xFEFF, 0xFEFF},   {0xFFA0, 0xFFA0},
    {0xFFF0, 0xFFFB}, {0xFFFE, 0xFFFF}, {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF},
});

struct Character {
  std::uint32_t code = 0;
  std::size_t size = 0;  // in bytes; 0 if they are not UTF-8
};

/// RFC 3629: no overlong forms, no surrogates, nothing above U+10FFFF.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (lead < 0xC2 || lead > 0xF4 || size > text.size()) return {};
  std::uint32_t code = lead & (0xFFU >> (size + 1));
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < kSmallest[size] || code > 0x10FFFF || is_surrogate) return {};
  return {code, size};
}

void append_escape(std::string& to, std::uint32_t code) {
  switch (code) {
    case '\n':
      to += "\\n";
      return;
    case '\r':
      to += "\\r";
      return;
    case '\t':
      to += "\\t";
      return;
    default:
      break;
  }
  const auto append = [&](auto format) { fmt::format_to(std::back_inserter(to), format, code); };
  if (code < 0x80) return append(FMT_STRING("\\x{:02x}"));
  if (code < 0x10000) return append(FMT_STRING("\\u{:04x}"));
  append(FMT_STRING("\\U{:08x}"));
}

bool is_escaped(std::uint32_t code) {
  return std::ranges::any_of(
      kEscaped, [&](const Range& each) { return each.first <= code && code <= each.last; });
}

bool is_plain_ascii(char c) { return c >= ' ' && c < '\x7f'; }

std::string escape_characters(std::string_view text) {
  if (std::ranges::all_of(text, is_plain_ascii)) return std::string(text);
  std::string safe;
  while (!text.empty()) {
    const Character next = decode(text);
    if (next.size == 0) {
      fmt::format_to(std::back_inserter(safe), "\\x{:02x}",
                     static_cast<unsigned char>(text.front()));
    } else if (is_escaped(next.code)) {
      append_escape(safe, next.code);
    } else {
      safe += text.substr(0, next.size);
    }
    text.remove_prefix(std::max<std::size_t>(1, next.size));
  }
  return safe;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string safe = escape_command_brackets(escape_characters(text), "\\x5b");
  if (begins_with_command(safe)) safe.replace(safe.find(':'), 1, "\\x3a");
  return safe;
}

std::string printable_lines(std::string_view text) {
  std::string safe = printable(text.substr(0, text.find('\n')));
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    text.remove_prefix(end + 1);
    safe += '\n' + printable(text.substr(0, text.find('\n')));
  }
  return safe;
}

std::string echo(std::string_view text) { return printable(truncate_end_utf8(text, kEchoLimit)); }

std::string in_quotes(std::string_view text) { return '"' + echo(text) + '"'; }

}  // namespace winadmit
