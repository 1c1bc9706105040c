// The comment "# Source: FILE" before an object: in the output of `helm template` it names the
// template of the chart, and in that of `winadmit fix` the file.
#pragma once

#include <string_view>

namespace winadmit::manifests {

inline constexpr std::string_view kSourceComment = "# Source: ";

/// The file that the comment before the first value of a document names; "" without one, or if it
/// is a URL or a sentence.
std::string_view find_source_comment(std::string_view document);

}  // namespace winadmit::manifests
