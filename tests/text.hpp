// Questions about a text.
#pragma once

#include <string>
#include <string_view>

namespace winadmit::test {

inline bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// Whether it is not empty, and ends with its only line break.
inline bool is_one_line(std::string_view text) {
  return text.size() > 1 && text.find('\n') == text.size() - 1;
}

}  // namespace winadmit::test
