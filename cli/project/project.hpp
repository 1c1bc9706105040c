// .winadmit.yaml: the policy for `winadmit check` and `winadmit fix`, and which findings, files and
// kinds they treat in a special way. It is found upwards from the file that is checked; for
// standard input, from the working directory.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "cli/judge/manifest_finding.hpp"
#include "cli/judge/template_path.hpp"
#include "config/config.hpp"

namespace winadmit::cli {

inline constexpr const char* kProjectFile = ".winadmit.yaml";

/// Whether a file has this name. It is no manifest, unless somebody makes it one: kubectl would
/// create what is in it.
inline bool is_project_file(const std::filesystem::path& file) {
  return file.filename() == kProjectFile;
}

/// An entry of `ignore`. Members that are empty match everything; all but `rule` are patterns.
struct IgnoreEntry {
  std::string rule;
  std::string kind;
  std::string name_space;
  std::string name;
  std::string file;
  std::string reason;
  int line = 0;  // in .winadmit.yaml

  bool matches(const ManifestFinding& finding, const std::filesystem::path& folder) const;
};

/// An entry of `render`: a chart with one set of values, or a kustomization.
struct RenderEntry {
  std::string chart = {};          // a folder, from that of .winadmit.yaml
  std::string kustomization = {};  // the same
  std::vector<std::string> values = {};
  std::vector<std::string> set = {};
  std::string release = {};
  std::string name_space = {};
  int line = 0;                       // in .winadmit.yaml
  std::filesystem::path folder = {};  // of .winadmit.yaml

  /// "values-windows.yaml", "values.yaml windows.enabled=true": what tells it from other sets.
  std::string name() const;
};

struct Project {
  std::string file;  // as messages name it; empty if there is none
  std::filesystem::path folder = {};
  std::vector<IgnoreEntry> ignore = {};
  std::vector<std::string> exclude = {};  // patterns for files
  std::vector<TemplatePath> templates = {};
  std::vector<RenderEntry> render = {};
  std::optional<server::Config> policy = {};  // that pods are judged by

  bool excludes(const std::string& checked_file) const;
};

/// A .winadmit.yaml that is not usable. what() has a line for each error, which names the file.
class ProjectError : public server::ConfigError {
 public:
  ProjectError(std::string project_file, const std::string& what)
      : ConfigError(what), file(std::move(project_file)) {}

  std::string file;  // as in Project
};

/// The errors of a run, in which a .winadmit.yaml is for many files.
class ProjectErrors {
 public:
  /// The lines of the error; none if the same file had one before.
  std::vector<std::string> new_lines(const ProjectError& error);

 private:
  std::set<std::string> files_;
};

/// Finds and reads the file of each folder once.
class Projects {
 public:
  /// `are_read`: otherwise no file has a project.
  explicit Projects(bool are_read = true) : are_read_(are_read) {}

  /// Of a file that is checked; "-" is standard input. Throws ProjectError, also if another user
  /// than root, the owner of the folder or the one that runs this owns .winadmit.yaml: on a shared
  /// machine anybody may write one into /tmp.
  const Project& of(const std::string& checked_file);

 private:
  const Project& in(const std::filesystem::path& folder);

  bool are_read_;
  std::map<std::filesystem::path, std::shared_ptr<const Project>> by_folder_;
  std::map<std::filesystem::path, ProjectError> failed_;  // by the folder of the file
};

}  // namespace winadmit::cli
