#include "cli/checked_tree.hpp"

#include <system_error>

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

/// Absolute, with the links, and without a slash at the end.
fs::path as_named(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole : whole.parent_path();
}

/// Without links, as far as the path exists.
fs::path without_links(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::weakly_canonical(path, error);
  return error ? path : target;
}

/// The folder of the first link below the working directory, else the path.
fs::path before_first_link(const fs::path& path) {
  fs::path at = fs::current_path();
  std::error_code error;
  for (const fs::path& part : path.lexically_relative(at)) {
    if (part == "..") break;
    if (fs::is_symlink(at / part, error)) return at;
    at /= part;
  }
  return path;
}

/// That a folder is in. A file .git is that of a submodule: the repository around it names its
/// content. Empty if there is none.
fs::path repository_of(fs::path folder) {
  fs::path found;
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    std::error_code error;
    const fs::file_status git = fs::symlink_status(folder / ".git", error);
    if (fs::exists(git)) found = folder;
    if (fs::is_directory(git)) break;
  }
  return found;
}

}  // namespace

fs::path tree_of(const std::string& checked) {
  std::error_code error;
  fs::path start = before_first_link(as_named(checked));
  const bool is_folder = fs::is_directory(start, error) && !fs::is_symlink(start, error);
  if (!is_folder) start = start.parent_path();
  const fs::path repository = repository_of(start);
  return repository.empty() ? start : repository;
}

bool is_in_folder(const fs::path& path, const fs::path& folder) {
  const fs::path relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

bool is_in(const std::string& file, const fs::path& folder) {
  const fs::path named = as_named(file);
  return is_in_folder(named, as_named(folder)) ||
         is_in_folder(without_links(named), without_links(as_named(folder)));
}

bool leads_out(const std::string& file, const fs::path& folder) {
  return !is_in_folder(without_links(as_named(file)), without_links(as_named(folder)));
}

}  // namespace winadmit::cli
