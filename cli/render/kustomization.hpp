// What a kustomization.yaml names: its resources and its patches. Only as much is read as tells
// what is a part of what; kubectl renders it.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "config/config_reader.hpp"

namespace winadmit::cli {

/// A patch of a kustomization.
struct KustomizePatch {
  std::filesystem::path file;  // without links; kustomization.yaml itself if it has the text
  std::string text = {};       // if kustomization.yaml has it
  bool has_target = false;     // which says what is patched; otherwise the patch does
  std::string target_kind = {};
};

struct Kustomization {
  std::filesystem::path file;  // without links
  bool is_component = false;   // that can be rendered only as a part of another
  std::vector<std::filesystem::path> resources = {};  // files and folders, without links
  std::vector<std::filesystem::path> plugins = {};    // the same: generators and transformers
  std::vector<KustomizePatch> patches = {};
  std::string refused = {};  // why kubectl must not render it, or ""
};

/// The text of a key; "" if the node is no mapping, or has no text there.
std::string text_of(const server::ConfigNode& node, std::string_view key);

/// The file kustomization.yaml, kustomization.yml or Kustomization of a folder; "" without one.
std::filesystem::path find_kustomization(const std::filesystem::path& folder);

/// An empty one that is refused if the file cannot be read, or is larger than any that people
/// write.
Kustomization read_kustomization(const std::filesystem::path& file);

/// A kustomization and what it uses.
struct KustomizationParts {
  std::set<std::filesystem::path> files = {};    // without links, with each kustomization.yaml
  std::set<std::filesystem::path> folders = {};  // of other kustomizations, without links
  std::string refused = {};  // why kubectl must not render it: it would fetch something; or ""
};

KustomizationParts find_parts(const std::filesystem::path& file);

/// Finds the kustomization that a patch is for.
class PatchFiles {
 public:
  /// The folder of a kustomization in the folder of the file, or in one above it, that has the file
  /// as a patch; "" without one.
  std::string find_kustomization_of(const std::string& file);

 private:
  /// The files that the kustomization of a folder has as patches.
  const std::set<std::filesystem::path>& in(const std::filesystem::path& folder);

  std::map<std::filesystem::path, std::set<std::filesystem::path>> by_folder_;
};

}  // namespace winadmit::cli
