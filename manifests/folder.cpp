#include "manifests/folder.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>

namespace winadmit::manifests {
namespace {

namespace fs = std::filesystem;

/// As Go's filepath.Ext, for which ".yaml" is an extension without a stem.
bool has_manifest_extension(const fs::path& path) {
  const std::string& name = path.native();
  return name.ends_with(".yaml") || name.ends_with(".yml") || name.ends_with(".json");
}

bool is_chart_templates(const fs::path& folder) {
  std::error_code code;
  return folder.filename() == "templates" &&
         fs::is_regular_file(folder.parent_path() / "Chart.yaml", code);
}

class Search {
 public:
  Search(bool recursive, const FolderHandler& to) : recursive_(recursive), to_(to) {}

  void visit(const fs::path& folder) {
    std::error_code code;
    fs::directory_iterator entry(folder, code);
    for (; !code && entry != fs::directory_iterator(); entry.increment(code)) add(*entry);
    if (code) fail(folder, code);
  }

  std::vector<std::string> files;
  bool has_failed = false;
  bool has_skipped_folder = false;

 private:
  void add(const fs::directory_entry& entry) {
    std::error_code code;
    const fs::file_status own = entry.symlink_status(code);
    if (!code && fs::is_directory(own)) {
      has_skipped_folder |= !recursive_;
      if (!recursive_) return;
      if (to_.chart_templates && is_chart_templates(entry.path()))
        return to_.chart_templates(entry.path().string());
      return visit(entry.path());
    }
    if (!has_manifest_extension(entry.path())) return;
    const fs::file_status target = entry.status(code);  // an error for a link that leads nowhere
    if (target.type() == fs::file_type::not_found)
      code = std::make_error_code(std::errc::no_such_file_or_directory);
    if (code) {
      fail(entry.path(), code);
    } else if (!fs::is_regular_file(target)) {  // kubectl would read a pipe or a device
      fail(entry.path(), "is not a regular file");
    } else {
      files.push_back(entry.path().string());
    }
  }

  void fail(const fs::path& path, const std::error_code& code) { fail(path, code.message()); }

  void fail(const fs::path& path, const std::string& why) {
    has_failed = true;
    const std::string name = path.lexically_normal().string();
    to_.error(name, "cannot read " + name + ": " + why);
  }

  bool recursive_;
  const FolderHandler& to_;
};

}  // namespace

std::vector<std::string> find_manifest_files(const std::string& folder, bool recursive,
                                             const FolderHandler& to) {
  Search search(recursive, to);
  search.visit(folder);
  if (search.files.empty() && !search.has_failed) {
    to.error(folder, folder + ": contains no .yaml, .yml or .json file" +
                         (search.has_skipped_folder ? "; -R also reads the folders in it" : ""));
  }
  std::ranges::sort(search.files);
  return std::move(search.files);
}

std::string find_chart_templates(const std::string& path) {
  const fs::path given(path);
  std::error_code code;
  fs::path folder = fs::absolute(given, code).lexically_normal();
  if (code) return {};
  if (!folder.has_filename()) folder = folder.parent_path();  // of "templates/"
  for (; folder.has_relative_path(); folder = folder.parent_path()) {
    if (!is_chart_templates(folder)) continue;
    return (given.is_absolute() ? folder : folder.lexically_proximate(fs::current_path())).string();
  }
  return {};
}

}  // namespace winadmit::manifests
