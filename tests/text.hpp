// Questions about a text.
#pragma once

#include <string>
#include <string_view>

namespace winadmit::test {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

inline std::size_t count(std::string_view text, std::string_view part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != text.npos; at += part.size()) ++found;
  return found;
}

/// Whether it is not empty, and ends with its only line break.
inline bool is_one_line(std::string_view text) {
  return text.size() > 1 && text.find('\n') == text.size() - 1;
}

}  // namespace winadmit::test
