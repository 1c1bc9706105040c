// From a rendered object back to the files that a user edits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "cli/judge/manifest_finding.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::cli {

/// Where a rendered object comes from. Files are named as the folder that is rendered.
struct Origin {
  std::string file;             // the template or the base
  std::string named_file = {};  // what helm names, if that is no file here, as of a packed chart
  std::vector<std::filesystem::path> patched_by = {};  // kustomization.yaml files
  bool are_names_absolute = false;
  std::string set = {};  // the name of the set of values, or ""

  /// The file that says what was found, and the other one: a template; or the patch that has the
  /// field, else the base. The line stays that of the rendered text.
  void place(ManifestFinding& finding) const;
};

/// Of an object that `helm template` printed for a chart.
Origin origin_in_chart(const manifests::Manifest& manifest, const std::string& folder,
                       const std::string& chart_file);

/// Of an object that `kubectl kustomize` printed for an overlay in `overlay`, a folder without
/// links, which asks for annotations. They are removed from the object.
Origin take_kustomize_origin(manifests::Manifest& manifest, const std::filesystem::path& overlay,
                             const std::string& kustomization_file);

}  // namespace winadmit::cli
