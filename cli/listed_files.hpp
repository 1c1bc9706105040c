// The files that a command reads, each once.
#pragma once

#include <string>
#include <vector>

namespace winadmit::cli {

struct ListedFile {
  std::string name;       // or "-"
  bool is_named = false;  // false if it was found in a folder
};

/// Removes further names of a file: the same path again, and symbolic links to a file of the list.
/// The order stays. Hard links are files of their own: what writes one in place does not change the
/// other.
void remove_repeated(std::vector<ListedFile>& files);

}  // namespace winadmit::cli
