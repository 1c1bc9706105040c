// Patterns for names and files.
#pragma once

#include <filesystem>
#include <string>

namespace winadmit::cli {

/// As in a shell, but `*` also stands for `/`. An empty pattern matches everything.
bool matches_glob(const std::string& pattern, const std::string& text);

/// The path of a file from a folder, "../x" if it is not below. If the path as named is not below,
/// the symbolic links in the path of its folder are followed.
std::filesystem::path path_from(const std::filesystem::path& folder,
                                const std::filesystem::path& file);

/// Whether a file is meant by a pattern relative to `folder`, or an absolute one: "charts/*", the
/// name of a folder with all that is in it, or without a slash the name of a file wherever it is.
/// `**/` stands for any number of folders, also none.
bool matches_file(const std::string& pattern, const std::filesystem::path& file,
                  const std::filesystem::path& folder);

}  // namespace winadmit::cli
