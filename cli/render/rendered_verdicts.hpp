// What came of the objects of a chart or a kustomization.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "cli/judge/verdict.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::cli {

struct RenderedVerdict {
  manifests::Location location;  // the file
  Verdict verdict;
};

/// An object, and a finding about it, count once for all sets of values that have them. Findings
/// lose their lines, which are those of the rendered text.
class RenderedVerdicts {
 public:
  void add(const manifests::Manifest& manifest, Verdict verdict);

  /// In the order of add().
  std::vector<RenderedVerdict> take();

 private:
  std::vector<RenderedVerdict> verdicts_;
  std::map<std::string, std::size_t> index_;  // by the name of the object
};

}  // namespace winadmit::cli
