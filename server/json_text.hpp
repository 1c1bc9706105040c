// Text as it stands between the quotes of a JSON string.
#pragma once

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace winadmit::server {

/// Whether text needs no escape.
inline bool is_plain(std::string_view text) {
  // No early end, and nothing wider than a byte (a bool is, to the compiler): 16 bytes a step.
  unsigned char escapes = 0;
  for (const char each : text) {
    const auto c = static_cast<unsigned char>(each);
    const unsigned char escape = (c < 0x20) | (c >= 0x7F) | (c == '"') | (c == '\\');
    escapes = static_cast<unsigned char>(escapes | escape);
  }
  return escapes == 0;
}

/// Appends ASCII with what JSON wants escaped; what lies between is copied in runs.
inline void append_escaped_ascii(std::string& to, std::string_view text) {
  static constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  static constexpr std::string_view kNames = "\"\\bfnrt";
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::size_t begin = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto code = static_cast<unsigned char>(text[i]);
    if (code >= 0x20 && code != '"' && code != '\\') continue;
    to.append(text, begin, i - begin);
    begin = i + 1;
    to += '\\';
    if (const std::size_t named = kNamed.find(text[i]); named != std::string_view::npos) {
      to += kNames[named];
    } else {
      to.append("u00");
      to += kHex[code >> 4U];
      to += kHex[code & 0xFU];
    }
  }
  to.append(text, begin);
}

/// Appends the text, escaped where it must be, without quotes.
inline void append_json_text(std::string& to, std::string_view text) {
  if (is_plain(text)) {
    to += text;
    return;
  }
  const bool ascii =
      std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (ascii) return append_escaped_ascii(to, text);
  // What is not UTF-8 (a text may have been cut inside of a character) is replaced.
  const std::string quoted =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  to.append(quoted, 1, quoted.size() - 2);
}

}  // namespace winadmit::server
