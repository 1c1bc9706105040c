// Reads and writes whole files.
#pragma once

#include <filesystem>
#include <string>

namespace winadmit::certs {

/// Throws Error.
std::string read_file(const std::filesystem::path& file);

enum class Readers { owner, everyone };  // modes 0600 and 0644

/// Replaces the file as a whole: the old content stays until the new one is on disk. Throws Error.
void write_file(const std::filesystem::path& file, const std::string& text, Readers readers);

}  // namespace winadmit::certs
