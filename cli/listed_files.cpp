#include "cli/listed_files.hpp"

#include <filesystem>
#include <set>

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

bool is_link(const ListedFile& file) {
  std::error_code error;
  return !file.source.is_standard_input() && fs::is_symlink(file.source.file, error);
}

/// Without links; the name itself if there is no such file.
std::string target_of(const ListedFile& file) {
  std::error_code error;
  if (file.source.is_standard_input()) return file.source.file;
  const fs::path target = fs::canonical(file.source.file, error);
  return error ? file.source.file : target.string();
}

}  // namespace

void remove_repeated(std::vector<ListedFile>& files) {
  std::set<std::string> targets;        // of files, which win over the links to them
  std::set<std::string> named_targets;  // of links, which win over those of a folder
  for (const ListedFile& each : files) {
    if (!is_link(each)) {
      targets.insert(target_of(each));
    } else if (each.is_named) {
      named_targets.insert(target_of(each));
    }
  }
  std::set<std::string> seen;
  std::erase_if(files, [&](const ListedFile& each) {
    const std::string target = target_of(each);
    if (is_link(each) && targets.contains(target)) return true;
    if (is_link(each) && !each.is_named && named_targets.contains(target)) return true;
    return !seen.insert(target).second;
  });
}

}  // namespace winadmit::cli
