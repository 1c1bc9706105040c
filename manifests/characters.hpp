// Characters that YAML and JSON treat alike.
#pragma once

#include <string_view>

namespace winadmit::manifests {

/// White space within a line.
inline constexpr std::string_view kBlank = " \t";
/// The same, and the first character of the line end of Windows.
inline constexpr std::string_view kBlankOrReturn = " \t\r";
/// White space and the ends of lines.
inline constexpr std::string_view kSpace = " \t\r\n";

/// Whether all of it is white space.
inline bool is_all_space(std::string_view text) {
  return text.find_first_not_of(kSpace) == std::string_view::npos;
}

}  // namespace winadmit::manifests
