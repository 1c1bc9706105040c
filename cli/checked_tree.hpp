// Where a checked file belongs: what else its authors may have written, and where links lead.
#pragma once

#include <filesystem>
#include <string>

namespace winadmit::cli {

/// The folder with all that the authors of a checked file or folder may have written: the Git
/// repository that it is in, or else the folder itself, or that of the file or of the first link in
/// the path.
std::filesystem::path tree_of(const std::string& checked);

/// Whether the path is the folder or is in it, by their names alone.
bool is_in_folder(const std::filesystem::path& path, const std::filesystem::path& folder);

/// Whether a file is in a folder, as it is named or where symbolic links lead.
bool is_in(const std::string& file, const std::filesystem::path& folder);

/// Whether symbolic links lead from a file to one that is not in the folder.
bool leads_out(const std::string& file, const std::filesystem::path& folder);

}  // namespace winadmit::cli
