#include "cli/project/project.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "bytes/files.hpp"
#include "cli/project/glob.hpp"
#include "cli/project/project_reader.hpp"

namespace winadmit::cli {

namespace fs = std::filesystem;

bool IgnoreEntry::matches(const ManifestFinding& finding, const fs::path& folder) const {
  return rule == finding.rule && matches_glob(kind, finding.object.kind) &&
         matches_glob(name_space, finding.object.name_space) &&
         matches_glob(name, finding.object.name) &&
         (matches_file(file, finding.location.file, folder) ||
          (!finding.source_file.empty() &&
           matches_file(file, folder / finding.source_file, folder)));
}

std::string RenderEntry::name() const {
  std::vector<std::string> parts = values;
  parts.insert(parts.end(), set.begin(), set.end());
  for (const std::string& each : {release, name_space}) {
    if (!each.empty()) parts.push_back(each);
  }
  return parts.empty() ? "default values" : fmt::format("{}", fmt::join(parts, " "));
}

bool Project::excludes(const std::string& checked_file) const {
  return std::ranges::any_of(exclude, [&](const std::string& pattern) {
    return matches_file(pattern, checked_file, folder);
  });
}

std::vector<std::string> ProjectErrors::new_lines(const ProjectError& error) {
  std::vector<std::string> lines;
  if (!files_.insert(error.file).second) return lines;
  std::istringstream text(error.what());
  for (std::string line; std::getline(text, line);) lines.push_back(line);
  return lines;
}

namespace {

/// Throws std::runtime_error if somebody else may have put the file where it is read.
void require_known_owner(const fs::path& file, const std::string& name) {
  struct stat of_file{}, of_folder{};
  if (::lstat(file.c_str(), &of_file) != 0) return;
  const uid_t owner = of_file.st_uid;
  if (owner == 0 || owner == ::geteuid()) return;
  if (::stat(file.parent_path().c_str(), &of_folder) == 0 && of_folder.st_uid == owner) return;
  throw std::runtime_error(name +
                           ": belongs to another user, who may decide what is found; remove it, "
                           "or use --no-project");
}

/// In the folder itself. Also a link to nothing, and a file with the other extension of YAML: their
/// authors expect that they are read.
fs::path find_project_file(const fs::path& folder) {
  for (const char* const name : {".winadmit.yml", kProjectFile}) {
    std::error_code error;
    fs::path file = folder / name;
    if (fs::exists(fs::symlink_status(file, error))) return file;
  }
  return {};
}

}  // namespace

const Project& Projects::of(const std::string& checked_file) {
  static const Project kNone;
  if (!are_read_) return kNone;
  if (checked_file == "-") return in(fs::current_path());
  return in(fs::absolute(checked_file).lexically_normal().parent_path());
}

const Project& Projects::in(const fs::path& folder) {
  if (const auto known = by_folder_.find(folder); known != by_folder_.end()) return *known->second;
  if (const fs::path file = find_project_file(folder); !file.empty()) {
    const std::string name = file.lexically_proximate(fs::current_path()).string();
    if (const auto failed = failed_.find(folder); failed != failed_.end()) throw failed->second;
    try {
      if (file.filename() != kProjectFile)
        throw std::runtime_error(name + ": must be named " + kProjectFile);
      std::error_code error;
      if (!fs::is_regular_file(file, error)) throw std::runtime_error(name + ": is not a file");
      require_known_owner(file, name);
      auto project = std::make_shared<Project>(parse_project(read_file(file), name));
      project->folder = folder;
      for (RenderEntry& each : project->render) each.folder = folder;
      return *(by_folder_[folder] = std::move(project));
    } catch (const std::runtime_error& failure) {
      throw failed_.emplace(folder, ProjectError(name, failure.what())).first->second;
    }
  }
  if (folder == folder.root_path() || folder.empty()) {
    return *(by_folder_[folder] = std::make_shared<Project>());
  }
  in(folder.parent_path());
  return *(by_folder_[folder] = by_folder_.at(folder.parent_path()));
}

}  // namespace winadmit::cli
