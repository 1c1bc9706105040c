#include "cli/project/glob.hpp"

#include <fnmatch.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace winadmit::cli {

namespace fs = std::filesystem;
namespace {

/// What is between the `**/` of a pattern: each part but the last one is empty or ends with a
/// slash.
std::vector<std::string> split_at_any_folders(const std::string& pattern) {
  constexpr std::string_view kAnyFolders = "**/";
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t at = 0; (at = pattern.find(kAnyFolders, at)) != std::string::npos;) {
    if (at > begin && pattern[at - 1] != '/') {
      ++at;
      continue;
    }
    parts.push_back(pattern.substr(begin, at - begin));
    begin = at += kAnyFolders.size();
  }
  parts.push_back(pattern.substr(begin));
  return parts;
}

/// As matches_glob(), but each `**/` also stands for no folder. Only the first place where a part
/// can end counts: what follows `**/` may begin after any later folder, too.
bool matches_path(const std::string& pattern, const std::string& path) {
  std::vector<std::string> parts = split_at_any_folders(pattern);
  const std::string last = std::move(parts.back());
  parts.pop_back();
  std::vector<std::size_t> begins = {0};  // where the next part may begin
  std::vector<std::size_t> ends = {0};    // where a part may end
  for (std::size_t at = 0; (at = path.find('/', at)) != std::string::npos;) ends.push_back(++at);
  for (const std::string& part : parts) {
    const auto can_end_at = [&](std::size_t end) {
      return std::ranges::any_of(begins, [&](std::size_t begin) {
        return begin <= end &&
               fnmatch(part.c_str(), path.substr(begin, end - begin).c_str(), 0) == 0;
      });
    };
    begins.assign(std::ranges::find_if(ends, can_end_at), ends.end());
    if (begins.empty()) return false;
  }
  return std::ranges::any_of(
      begins, [&](std::size_t begin) { return matches_glob(last, path.substr(begin)); });
}

/// Of a normal path that is relative to a folder: whether it stays in the folder.
bool is_inside(const fs::path& path) { return !path.empty() && *path.begin() != ".."; }

}  // namespace

bool matches_glob(const std::string& pattern, const std::string& text) {
  return pattern.empty() || fnmatch(pattern.c_str(), text.c_str(), 0) == 0;
}

fs::path path_from(const fs::path& folder, const fs::path& file) {
  std::error_code error;
  const fs::path whole = fs::absolute(file, error).lexically_normal();
  const fs::path start = fs::absolute(folder, error).lexically_normal();
  fs::path named = whole.lexically_proximate(start);
  if (is_inside(named)) return named;
  const fs::path real = fs::weakly_canonical(whole.parent_path(), error) / whole.filename();
  const fs::path real_start = fs::weakly_canonical(start, error);
  if (fs::path below = real.lexically_proximate(real_start); is_inside(below)) return below;
  return named;
}

bool matches_file(const std::string& pattern, const fs::path& file, const fs::path& folder) {
  if (pattern.empty()) return true;
  std::error_code error;
  const fs::path whole = fs::absolute(file, error).lexically_normal();
  const std::string path = (pattern.starts_with('/') ? whole : path_from(folder, file)).string();
  std::string wanted = fs::path(pattern).lexically_normal().string();
  if (wanted.ends_with('/') && wanted != "/") wanted.pop_back();
  if (wanted == ".") return is_inside(path);
  if (matches_path(wanted, path) || matches_path(wanted + "/*", path)) return true;
  return wanted.find('/') == std::string::npos && matches_glob(wanted, whole.filename().string());
}

}  // namespace winadmit::cli
