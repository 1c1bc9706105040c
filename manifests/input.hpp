// Files and standard input.
#pragma once

#include <string>

namespace winadmit::manifests {

/// The content of a file; "-" is standard input. Throws std::runtime_error.
std::string read_input(const std::string& file);

}  // namespace winadmit::manifests
