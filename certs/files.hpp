// Writes what issue makes. Reading is pair's.
#pragma once

#include <filesystem>
#include <string>

namespace winadmit::certs {

enum class Readers { owner, everyone };  // modes 0600 and 0644

/// Writes the file whole or not at all: what was there stays until its replacement is on disk.
/// Throws Error.
void write_file(const std::filesystem::path& file, const std::string& text, Readers readers);

}  // namespace winadmit::certs
