// Writes a file that somebody owns.
#pragma once

#include <string>
#include <string_view>

namespace winadmit::cli {

/// Replaces the content of a regular file as a whole, and keeps its mode and, if it may, its owner.
/// A symbolic link stays one. Throws std::runtime_error, and then the file is as it was.
void replace_file(const std::string& file, std::string_view text);

}  // namespace winadmit::cli
