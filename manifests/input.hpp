// What subcommands read.
#pragma once

#include <string>

namespace winadmit::manifests {

/// All of a file; "-" is standard input. Throws std::runtime_error.
std::string read_input(const std::string& file);

}  // namespace winadmit::manifests
