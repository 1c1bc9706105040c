#include "cli/project/glob.hpp"

#include <fnmatch.h>

namespace winadmit::cli {

namespace fs = std::filesystem;

bool matches_glob(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

bool matches_file(const std::string& pattern, const fs::path& file, const fs::path& folder) {
  if (pattern.empty()) return true;
  std::error_code error;
  const fs::path whole = fs::absolute(file, error).lexically_normal();
  const std::string relative =
      whole.lexically_relative(fs::absolute(folder, error).lexically_normal()).string();
  std::string wanted = pattern.starts_with("./") ? pattern.substr(2) : pattern;
  if (wanted.ends_with('/')) wanted.pop_back();
  if (matches_glob(wanted, relative) || matches_glob(wanted + "/*", relative)) return true;
  return wanted.find('/') == std::string::npos && matches_glob(wanted, whole.filename().string());
}

}  // namespace winadmit::cli
