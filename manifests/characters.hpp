// Characters that YAML and JSON treat alike.
#pragma once

#include <string_view>

namespace winadmit::manifests {

/// White space within a line.
inline constexpr std::string_view kBlank = " \t";
/// White space and the ends of lines.
inline constexpr std::string_view kSpace = " \t\r\n";

}  // namespace winadmit::manifests
