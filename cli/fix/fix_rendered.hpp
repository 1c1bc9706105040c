// What to change in the files that a chart or a kustomization is rendered from.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "cli/judge/added_scheduling.hpp"
#include "cli/judge/manifest_checker.hpp"
#include "cli/project/project.hpp"
#include "cli/render/source_folder.hpp"
#include "manifests/document.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {

struct RenderedFixes {
  std::set<std::string> files = {};  // that a user has to change
  bool is_unfinished = false;        // a finding that denies has no fix
};

/// What is rendered is judged with this.
struct RenderedFixContext {
  ManifestChecker& checker;
  const Project& project;  // of the folder
  AddedScheduling& added;  // of the checker
  const manifests::Limits& limits;
  std::function<void(const std::string&)> report;
  std::function<void(const manifests::FileError&)> fail;
};

/// Reports each change and each finding that is left, with the file that it is in.
RenderedFixes find_rendered_fixes(const SourceFolder& source, const RenderedFixContext& context);

}  // namespace winadmit::cli
