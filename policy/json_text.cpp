#include "policy/json_text.hpp"

#include <algorithm>
#include <experimental/simd>
#include <nlohmann/json.hpp>

namespace winadmit {
namespace {

/// ASCII with what JSON wants escaped; what lies between is copied in runs.
std::string escaped_ascii(std::string_view text) {
  static constexpr std::string_view kNamed = "\"\\\b\f\n\r\t";
  static constexpr std::string_view kNames = "\"\\bfnrt";
  static constexpr std::string_view kHex = "0123456789abcdef";
  std::string to;
  to.reserve(text.size() + 16);
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
  return to;
}

}  // namespace

std::string escaped(std::string_view text) {
  const bool ascii =
      std::ranges::none_of(text, [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (ascii) return escaped_ascii(text);
  const std::string quoted =
      nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return quoted.substr(1, quoted.size() - 2);
}

// Sixteen bytes a step (more where the target has wider vectors): what is answered is mostly text,
// and byte by byte this was a tenth of a refusal. As signed numbers, the control characters and all
// that is not ASCII are what is less than a space.
bool is_plain(std::string_view text) {
  namespace simd = std::experimental;
  using Byte = signed char;
  using Bytes = simd::native_simd<Byte>;
  const auto escapes = [](const auto& bytes) {
    return bytes < Byte{' '} || bytes == Byte{'"'} || bytes == Byte{'\\'};
  };
  if (text.size() < Bytes::size())
    return std::ranges::none_of(text, [&](Byte byte) { return escapes(byte); });
  const auto load = [&](std::size_t at) {
    return Bytes(reinterpret_cast<const Byte*>(text.data()) + at, simd::element_aligned);
  };
  auto found = escapes(load(text.size() - Bytes::size()));
  for (std::size_t at = 0; at + Bytes::size() < text.size(); at += Bytes::size()) {
    found |= escapes(load(at));
  }
  return simd::none_of(found);
}

}  // namespace winadmit
