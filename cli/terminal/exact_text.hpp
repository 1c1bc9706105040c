// Text that another program reads, such as a manifest for kubectl or a patch for git: nothing in it
// may be escaped.
#pragma once

#include <string_view>

namespace winadmit::cli {

/// Prints the text byte for byte. Throws Error, and prints nothing, if a CI system would obey a
/// line of it: if standard output may be the log of a job, and not a file.
void print_exact(std::string_view text);

}  // namespace winadmit::cli
