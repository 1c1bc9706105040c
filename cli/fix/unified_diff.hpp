// The edits of a file as a patch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "manifests/text_edit.hpp"

namespace winadmit::cli {

/// A unified diff with three lines of context, as `patch -p1` and `git apply` read it. `edits` are
/// in order. Empty if they change nothing.
std::string unified_diff(const std::string& file, std::string_view text,
                         const std::vector<manifests::TextEdit>& edits);

/// A diff for a terminal: control characters are escaped, and with `colour` lines have colours.
std::string for_terminal(std::string_view diff, bool colour);

}  // namespace winadmit::cli
