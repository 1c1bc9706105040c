// Text as it stands in a JSON string.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace winadmit {

/// Whether text needs no escape. Eight bytes a step, by the arithmetic that finds a zero byte in a
/// word: what is answered is mostly text, and byte by byte this was a tenth of a refusal.
inline bool is_plain(std::string_view text) {
  constexpr std::uint64_t kOnes = 0x0101010101010101U;
  constexpr std::uint64_t kHighBits = 0x8080808080808080U;
  // The high bit of each byte that is below n, if the byte's own is not set; n is at most 128.
  const auto below = [](std::uint64_t word, std::uint64_t n) { return (word - kOnes * n) & ~word; };
  const auto escapes = [&](const char* bytes) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, sizeof word);
    return (word | below(word, 0x20) | below(word ^ (kOnes * '"'), 1) |
            below(word ^ (kOnes * '\\'), 1)) &
           kHighBits;
  };
  std::uint64_t found = 0;
  if (text.size() < sizeof found) {
    std::array<char, sizeof found> padded{'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x'};
    std::ranges::copy(text, padded.begin());
    return escapes(padded.data()) == 0;
  }
  const char* const last = text.data() + text.size() - sizeof found;
  for (const char* at = text.data(); at < last; at += sizeof found) found |= escapes(at);
  return (found | escapes(last)) == 0;
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

/// Appends the text as a JSON string.
inline void append_json_string(std::string& to, std::string_view text) {
  to += '"';
  append_json_text(to, text);
  to += '"';
}

}  // namespace winadmit
