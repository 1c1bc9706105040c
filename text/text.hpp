// Characters, and text in messages for people: truncated input and readable counts.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

namespace winadmit {

/// Bytes of client input that a message repeats: the longest name in Kubernetes
/// (k8s.io/apimachinery pkg/util/validation, DNS1123SubdomainMaxLength).
inline constexpr std::size_t kEchoLimit = 253;

/// Stands for what is left out.
inline constexpr std::string_view kEllipsis = "...";

/// The same letter in lower case; other bytes as they are, whatever the locale.
constexpr char to_ascii_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Whether two texts are equal if the case of ASCII letters does not count.
constexpr bool equals_ignoring_case(std::string_view left, std::string_view right) {
  return std::ranges::equal(left, right, {}, to_ascii_lower, to_ascii_lower);
}

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// In ASCII.
constexpr bool is_lower_or_digit(char c) { return is_digit(c) || (c >= 'a' && c <= 'z'); }

/// In ASCII.
constexpr bool is_alphanumeric(char c) { return is_lower_or_digit(to_ascii_lower(c)); }

/// In ASCII.
constexpr bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

/// Whether a byte of UTF-8 continues a code point.
constexpr bool continues_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Without the spaces, tabs and line ends at its start and its end.
std::string_view trim(std::string_view text);

/// Where the line after that of `offset` begins; the size of the text if there is none.
std::size_t next_line_begin(std::string_view text, std::size_t offset = 0);

/// At most the first `size` bytes of a UTF-8 text, without a partial character at the end.
std::string_view truncate_utf8(std::string_view text, std::size_t size = kEchoLimit);

/// A UTF-8 text of at most `size` bytes: if it is longer, its end is replaced by kEllipsis. `size`
/// must have room for it.
std::string truncate_end_utf8(std::string_view text, std::size_t size);

/// The same with the middle replaced.
std::string truncate_middle_utf8(std::string_view text, std::size_t size);

/// 599900 as "599,900".
std::string format_count(std::size_t number);

}  // namespace winadmit
