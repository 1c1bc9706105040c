#include "manifests/utf8.hpp"

#include <algorithm>

#include "text/text.hpp"

namespace winadmit::manifests {

std::size_t count_code_points(std::string_view text) {
  return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues_code_point));
}

void append_utf8(std::string& to, std::uint32_t point) {
  const auto byte = [&](std::uint32_t value) { to += static_cast<char>(value); };
  if (point < 0x80U) {
    byte(point);
  } else if (point < 0x800U) {
    byte(0xC0U | (point >> 6U));
    byte(0x80U | (point & 0x3FU));
  } else if (point < 0x10000U) {
    byte(0xE0U | (point >> 12U));
    byte(0x80U | ((point >> 6U) & 0x3FU));
    byte(0x80U | (point & 0x3FU));
  } else {
    byte(0xF0U | (point >> 18U));
    byte(0x80U | ((point >> 12U) & 0x3FU));
    byte(0x80U | ((point >> 6U) & 0x3FU));
    byte(0x80U | (point & 0x3FU));
  }
}

}  // namespace winadmit::manifests
