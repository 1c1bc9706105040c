#include "cli/project/glob.hpp"

#include <fnmatch.h>

namespace winadmit::cli {

namespace fs = std::filesystem;
namespace {

/// As matches_glob(), but `**/` also stands for no folder.
bool matches_path(const std::string& pattern, const std::string& path) {
  constexpr std::string_view kFolders = "**/";
  if (matches_glob(pattern, path)) return true;
  const std::size_t found = pattern.find(kFolders);
  if (found == std::string::npos || (found > 0 && pattern[found - 1] != '/')) return false;
  return matches_path(pattern.substr(0, found) + pattern.substr(found + kFolders.size()), path);
}

}  // namespace

bool matches_glob(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool matches_file(const std::string& pattern, const fs::path& file, const fs::path& folder) {
  if (pattern.empty()) return true;
  std::error_code error;
  const fs::path whole = fs::absolute(file, error).lexically_normal();
  const fs::path relative =
      whole.lexically_relative(fs::absolute(folder, error).lexically_normal());
  const std::string path = (pattern.starts_with('/') ? whole : relative).string();
  std::string wanted = pattern.starts_with("./") ? pattern.substr(2) : pattern;
  if (wanted.ends_with('/')) wanted.pop_back();
  if (matches_path(wanted, path) || matches_path(wanted + "/*", path)) return true;
  return wanted.find('/') == std::string::npos && matches_glob(wanted, whole.filename().string());
}

}  // namespace winadmit::cli
