#include "manifests/folder.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace winadmit::manifests {
namespace {

namespace fs = std::filesystem;

bool has_manifest_extension(const fs::path& path) {
  const fs::path extension = path.extension();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

class Search {
 public:
  Search(bool recursive, const std::function<void(const std::string&)>& error)
      : recursive_(recursive), error_(error) {}

  void visit(const fs::path& folder) {
    std::error_code code;
    fs::directory_iterator entry(folder, code);
    for (; !code && entry != fs::directory_iterator(); entry.increment(code)) add(*entry);
    if (code) fail(folder, code);
  }

  std::vector<std::string> files;
  bool has_failed = false;

 private:
  void add(const fs::directory_entry& entry) {
    std::error_code code;
    const fs::file_status own = entry.symlink_status(code);
    if (!code && fs::is_directory(own)) {
      if (recursive_) visit(entry.path());
      return;
    }
    if (!has_manifest_extension(entry.path())) return;
    const fs::file_status target = entry.status(code);  // an error for a link that leads nowhere
    if (target.type() == fs::file_type::not_found)
      code = std::make_error_code(std::errc::no_such_file_or_directory);
    if (code) {
      fail(entry.path(), code);
    } else if (fs::is_regular_file(target)) {
      files.push_back(entry.path().string());
    }
  }

  void fail(const fs::path& path, const std::error_code& code) {
    has_failed = true;
    error_("cannot read " + path.string() + ": " + code.message());
  }

  bool recursive_;
  const std::function<void(const std::string&)>& error_;
};

}  // namespace

std::vector<std::string> find_manifest_files(const std::string& folder, bool recursive,
                                             const std::function<void(const std::string&)>& error) {
  Search search(recursive, error);
  search.visit(folder);
  if (search.files.empty() && !search.has_failed)
    error(folder + ": contains no .yaml, .yml or .json file");
  std::ranges::sort(search.files);
  return std::move(search.files);
}

}  // namespace winadmit::manifests
