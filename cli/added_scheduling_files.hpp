// The RuntimeClasses and Namespaces of the files of a run, before their pods are judged.
#pragma once

#include <vector>

#include "cli/judge/added_scheduling.hpp"
#include "cli/manifest_options.hpp"
#include "cli/project/project.hpp"

namespace winadmit::cli {

/// Reads them from the regular files among those of the run: a class may be after its pods, or in
/// another file. Standard input and pipes cannot be read twice. Reports no errors, because the
/// files are read again.
void read_added_scheduling(const std::vector<ListedFile>& files, const ManifestOptions& options,
                           Projects& projects, AddedScheduling& added);

}  // namespace winadmit::cli
