// Finds the Helm charts and kustomizations among the folders that a command reads.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "cli/project/project.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {

/// A folder that a program renders as a whole.
struct SourceFolder {
  std::string folder;  // as it was named
  std::string file;    // Chart.yaml or kustomization.yaml in it
  bool is_chart = false;
  /// One of .winadmit.yaml for each set of values; a rendered folder has at least one.
  std::vector<RenderEntry> sets = {};
};

/// Those in the folder; `recursive`: also in the folders in it, but for those of a chart. Charts
/// that are libraries, and components of kustomizations, can be rendered only as a part of others.
std::vector<SourceFolder> find_source_folders(const std::string& folder, bool recursive);

/// The file of values of a set: from the folder of the chart, or else from that of .winadmit.yaml.
/// Empty if there is none.
std::filesystem::path find_values(const SourceFolder& source, const RenderEntry& set,
                                  const std::string& name);

/// The files that a folder is rendered from, as far as they are known before: all of a chart, with
/// its files of values, and what kustomizations name.
std::set<std::string> find_source_files(const SourceFolder& source);

/// The charts and kustomizations that are rendered, and what is read through them alone.
class RenderedFolders {
 public:
  /// `renders_all`: also those that no .winadmit.yaml has under `render`.
  RenderedFolders(bool renders_all, Projects& projects)
      : renders_all_(renders_all), projects_(&projects) {}

  /// True if the folder is rendered. Throws Error if an entry of .winadmit.yaml names no chart.
  bool add(SourceFolder source);

  /// Those that no other kustomization has as a base, each once.
  std::vector<SourceFolder> take();

  /// Whether a file is a part of a rendered chart or kustomization.
  bool has(const std::filesystem::path& file) const;

 private:
  bool renders_all_;
  Projects* projects_;
  std::set<const Project*> required_ = {};  // whose entries name charts and kustomizations
  std::vector<SourceFolder> sources_ = {};
  std::set<std::filesystem::path> known_ = {};  // folders; the paths here are without links
  std::set<std::filesystem::path> charts_ = {};
  std::set<std::filesystem::path> bases_ = {};
  std::set<std::filesystem::path> files_ = {};
};

}  // namespace winadmit::cli
