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
  /// Before the objects of a set: those of one set stay apart, also with the same generateName.
  void begin_set() { in_set_.clear(); }
  void add(const manifests::Manifest& manifest, Verdict verdict);

  /// In the order of add().
  std::vector<RenderedVerdict> take();

 private:
  std::vector<RenderedVerdict> verdicts_;
  std::map<std::string, std::size_t> index_;   // by the name of the object and its number
  std::map<std::string, std::size_t> in_set_;  // how many objects with a name this set has
};

}  // namespace winadmit::cli
