// What to change in the files that a chart or a kustomization is rendered from.
#pragma once

#include <set>
#include <string>

#include "cli/fix/fix_file.hpp"
#include "cli/render/source_folder.hpp"

namespace winadmit::cli {

struct RenderedFixes {
  std::set<std::string> files = {};  // that a user has to change
  bool is_unfinished = false;        // a finding that denies has no fix
};

/// Reports each change and each finding that is left, with the file that it is in.
RenderedFixes find_rendered_fixes(const SourceFolder& source, const FixContext& context);

}  // namespace winadmit::cli
