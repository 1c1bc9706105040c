// The manifests of a folder.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace winadmit::manifests {

/// The .yaml, .yml and .json files of a folder, sorted by name; with `recursive`, also of the
/// folders in it. Symbolic links to folders are not followed, as kubectl does not. What cannot be
/// read is a line for `error`, and so is a folder without such a file.
std::vector<std::string> find_manifest_files(const std::string& folder, bool recursive,
                                             const std::function<void(const std::string&)>& error);

}  // namespace winadmit::manifests
