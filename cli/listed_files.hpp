// The files that a command reads, each once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/checked_tree.hpp"
#include "cli/render/source_folder.hpp"
#include "manifests/input.hpp"

namespace winadmit::cli {

struct ListedFile {
  manifests::Source source;
  bool is_named = false;  // false if it was found in a folder
  std::string tree = {};  // the folder that links must not lead out of; empty: anywhere
  /// The folder that is rendered, which has this file: it may be in the list as a file, too.
  std::optional<SourceFolder> rendered = {};

  /// Whether the path, which may be one without the links, leads out of the tree.
  bool is_left_by(const std::string& path) const { return !tree.empty() && leads_out(path, tree); }
};

/// Removes further names of a file: the same path again, and symbolic links to a file of the list.
/// The order stays. Hard links are files of their own: what writes one in place does not change the
/// other.
void remove_repeated(std::vector<ListedFile>& files);

}  // namespace winadmit::cli
