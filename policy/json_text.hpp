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

/// JSON itself, between the strings.
struct Raw {
  std::string_view json;
};

/// The text, escaped where it must be. What is not UTF-8 (a text may have been cut inside of a
/// character) is replaced.
std::string escaped(std::string_view text);

/// Appends the text as it stands in a JSON string, without quotes.
template <class To>
void append_json_text(To& to, std::string_view text) {
  is_plain(text) ? append(to, text) : append(to, escaped(text));
}
template <class To>
void append_json_text(To& to, const Escaped& piece) {
  append(to, piece.json);
}
template <class To>
void append_json_text(To& to, const Raw& piece) {
  append(to, piece.json);
}

/// Appends the text as a JSON string.
template <class To>
void append_json_string(To& to, std::string_view text) {
  is_plain(text) ? append(to, "\"", text, "\"") : append(to, "\"", escaped(text), "\"");
}

namespace detail {

/// Whether the form of a piece is known, and what it then is.
inline bool is_known(const auto& piece) { return is_plain(piece); }
constexpr bool is_known(const Escaped&) { return true; }
constexpr bool is_known(const Raw&) { return true; }
constexpr const auto& in_json(const auto& piece) { return piece; }
constexpr std::string_view in_json(const Escaped& piece) { return piece.json; }
constexpr std::string_view in_json(const Raw& piece) { return piece.json; }

}  // namespace detail

/// Appends pieces of JSON: texts as they stand in a string, Raw as it is. Mostly none wants an
/// escape, and they go in one step.
template <class To, class... Pieces>
void append_json(To& to, const Pieces&... pieces) {
  if ((detail::is_known(pieces) && ...)) return append(to, detail::in_json(pieces)...);
  (append_json_text(to, pieces), ...);
}

}  // namespace winadmit
