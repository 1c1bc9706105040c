// Text as it stands in a JSON string.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "policy/append.hpp"

namespace winadmit {

/// Whether text needs no escape: printable ASCII without quotes and backslashes.
bool is_plain(std::string_view text);

/// Of a literal the compiler tells.
template <std::size_t N>
constexpr bool is_plain(const char (&literal)[N]) {
  for (const char byte : to_piece(literal)) {
    if (byte < ' ' || byte == '"' || byte == '\\') return false;
  }
  return true;
}

/// A text that is known to need no escape.
struct Plain {
  std::string_view text;
  operator std::string_view() const { return text; }  // NOLINT: is a text
  friend constexpr bool is_plain(Plain) { return true; }
};

/// A text beside its form in a JSON string.
struct Escaped {
  std::string_view text;
  std::string_view json;
  operator std::string_view() const { return text; }  // NOLINT: is a text
};

/// Appends the text, escaped where it must be, without quotes. What is not UTF-8 (a text may have
/// been cut inside of a character) is replaced.
void append_json_text(std::string& to, std::string_view text);

/// Appends the text as a JSON string.
void append_json_string(std::string& to, std::string_view text);

}  // namespace winadmit
