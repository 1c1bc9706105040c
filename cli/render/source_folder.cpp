#include "cli/render/source_folder.hpp"

#include <algorithm>
#include <iterator>
#include <stdexcept>
#include <utility>

#include "bytes/error.hpp"
#include "bytes/files.hpp"
#include "cli/render/kustomization.hpp"
#include "config/config_reader.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kChartFile = "Chart.yaml";

bool is_library(const fs::path& chart_file) {
  try {
    server::ConfigReader reader(chart_file.string());
    const auto root = reader.load(read_file(chart_file));
    return root && text_of(*root, "type") == "library";
  } catch (const std::runtime_error&) {
    return false;  // helm says why
  }
}

class Search {
 public:
  void visit(const fs::path& folder, bool recursive) {
    std::error_code error;
    if (fs::is_regular_file(folder / kChartFile, error)) {
      if (!is_library(folder / kChartFile)) add(folder, folder / kChartFile, /*is_chart=*/true);
      return;
    }
    if (const fs::path file = find_kustomization(folder);
        !file.empty() && !read_kustomization(file).is_component) {
      add(folder, file, /*is_chart=*/false);
    }
    if (recursive) visit_folders_in(folder);
  }

  std::vector<SourceFolder> found;

 private:
  void add(const fs::path& folder, const fs::path& file, bool is_chart) {
    found.push_back({.folder = folder.string(), .file = file.string(), .is_chart = is_chart});
  }

  /// What cannot be read is told where its manifests are looked for.
  void visit_folders_in(const fs::path& folder) {
    std::vector<fs::path> folders;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      std::error_code unknown;
      if (fs::is_directory(entry.symlink_status(unknown))) folders.push_back(entry.path());
    }
    std::ranges::sort(folders);
    for (const fs::path& each : folders) visit(each, true);
  }
};

fs::path folder_of(const RenderEntry& entry) {
  return entry.folder / (entry.kustomization.empty() ? entry.chart : entry.kustomization);
}

/// Throws Error for an entry that names no chart and no kustomization.
void require_folders(const Project& project) {
  for (const RenderEntry& each : project.render) {
    std::error_code error;
    const std::string at = project.file + ':' + std::to_string(each.line) + ": ";
    if (!each.chart.empty() && !fs::is_regular_file(folder_of(each) / kChartFile, error))
      throw Error(at + each.chart + " has no Chart.yaml");
    if (!each.kustomization.empty() && find_kustomization(folder_of(each)).empty())
      throw Error(at + each.kustomization + " has no kustomization.yaml");
  }
}

}  // namespace

std::vector<SourceFolder> find_source_folders(const std::string& folder, bool recursive) {
  Search search;
  search.visit(folder, recursive);
  return std::move(search.found);
}

fs::path find_values(const SourceFolder& source, const RenderEntry& set, const std::string& name) {
  for (const fs::path& folder : {fs::path(source.folder), set.folder}) {
    std::error_code error;
    if (fs::is_regular_file(folder / name, error)) return folder / name;
  }
  return {};
}

std::set<std::string> find_source_files(const SourceFolder& source) {
  std::set<std::string> files;
  if (!source.is_chart) {
    for (const fs::path& each : find_parts(source.file).files) files.insert(each.string());
    return files;
  }
  std::error_code error;
  const fs::recursive_directory_iterator end;
  for (fs::recursive_directory_iterator at(source.folder, error); !error && at != end;
       at.increment(error)) {
    std::error_code unknown;
    if (at->is_regular_file(unknown)) files.insert(at->path().lexically_normal().string());
  }
  for (const RenderEntry& set : source.sets) {
    for (const std::string& each : set.values)
      files.insert(find_values(source, set, each).lexically_normal().string());
  }
  files.erase("");
  return files;
}

bool RenderedFolders::add(SourceFolder source) {
  const Project& project = projects_->of(source.file);
  if (required_.insert(&project).second) require_folders(project);
  for (const RenderEntry& each : project.render) {
    std::error_code error;
    if (each.kustomization.empty() == source.is_chart &&
        fs::equivalent(folder_of(each), source.folder, error)) {
      source.sets.push_back(each);
    }
  }
  if (source.sets.empty()) {
    if (!renders_all_) return false;
    source.sets.emplace_back();
  }
  if (source.is_chart) {
    charts_.insert(fs::canonical(source.folder));
  } else {
    KustomizationParts parts = find_parts(source.file);
    files_.merge(parts.files);
    bases_.merge(parts.folders);
  }
  if (known_.insert(fs::canonical(source.folder)).second) sources_.push_back(std::move(source));
  return true;
}

std::vector<SourceFolder> RenderedFolders::take() {
  std::erase_if(sources_, [&](const SourceFolder& each) {
    return !each.is_chart && bases_.contains(fs::canonical(each.folder));
  });
  return std::move(sources_);
}

bool RenderedFolders::has(const fs::path& file) const {
  std::error_code error;
  const fs::path path = fs::canonical(file, error);
  if (error) return false;
  if (files_.contains(path)) return true;
  for (fs::path folder = path; folder.has_relative_path(); folder = folder.parent_path()) {
    if (charts_.contains(folder)) return true;
  }
  return false;
}

}  // namespace winadmit::cli
