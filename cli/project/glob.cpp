#include "cli/project/glob.hpp"

#include <fnmatch.h>

namespace winadmit::cli {

namespace fs = std::filesystem;
namespace {

/// As matches_glob(), but each `**/` from `begin` on also stands for no folder.
bool matches_path(const std::string& pattern, const std::string& path, std::size_t begin = 0) {
  constexpr std::string_view kFolders = "**/";
  if (matches_glob(pattern, path)) return true;
  for (std::size_t at = begin; (at = pattern.find(kFolders, at)) != std::string::npos; ++at) {
    if (at > 0 && pattern[at - 1] != '/') continue;
    const std::string without = pattern.substr(0, at) + pattern.substr(at + kFolders.size());
    if (matches_path(without, path, at)) return true;
  }
  return false;
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
