// The manifests of a folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace winadmit::manifests {

/// What is told of the entries that are not read.
struct FolderHandler {
  std::function<void(const std::string& path, const std::string& what)> error;
  /// The folder `templates` of a Helm chart. It is left out: its files are no YAML until Helm has
  /// rendered them. Unset: it is read as another folder.
  std::function<void(const std::string& folder)> chart_templates;
};

/// The .yaml, .yml and .json files of a folder, sorted by name; with `recursive`, also of the
/// folders in it. Symbolic links to folders are not followed, as kubectl does not; those to files
/// are, wherever they lead. What cannot be read is an error, and so is a folder without such a
/// file.
std::vector<std::string> find_manifest_files(const std::string& folder, bool recursive,
                                             const FolderHandler& to);

/// The folder `templates` of a Helm chart that a path is or is in, at any depth; empty if there is
/// none.
std::string find_chart_templates(const std::string& path);

}  // namespace winadmit::manifests
