// Text in messages for people: truncated input and readable counts.
#pragma once

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

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// In ASCII.
constexpr bool is_alphanumeric(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// Whether a byte of UTF-8 continues a code point.
constexpr bool continues_code_point(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// At most the first `size` bytes of a UTF-8 text, without a partial character at the end.
std::string_view truncate_utf8(std::string_view text, std::size_t size = kEchoLimit);

/// A UTF-8 text of at most `size` bytes: if it is longer, without its middle but with kEllipsis
/// there. `size` must have room for it.
std::string truncate_middle_utf8(std::string_view text, std::size_t size);

/// 599900 as "599,900".
std::string format_count(std::size_t number);

}  // namespace winadmit
