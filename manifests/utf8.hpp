// Code points in UTF-8.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace winadmit::manifests {

constexpr bool is_high_surrogate(std::uint32_t unit) { return unit >= 0xD800U && unit < 0xDC00U; }
constexpr bool is_low_surrogate(std::uint32_t unit) { return unit >= 0xDC00U && unit < 0xE000U; }
constexpr std::uint32_t join_surrogates(std::uint32_t high, std::uint32_t low) {
  return 0x10000U + ((high - 0xD800U) << 10U) + (low - 0xDC00U);
}

/// How many code points a valid text has.
std::size_t count_code_points(std::string_view text);

void append_utf8(std::string& to, std::uint32_t point);

/// What a text in UTF-8 may begin with.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// The text behind the mark that it may begin with.
constexpr std::string_view without_byte_order_mark(std::string_view text) {
  return text.substr(text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0);
}

/// Whether the text begins with the byte order mark of UTF-16.
inline bool has_utf16_mark(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

}  // namespace winadmit::manifests
