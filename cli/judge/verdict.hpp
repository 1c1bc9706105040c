// What came of one object.
#pragma once

#include <cstddef>
#include <vector>

#include "cli/judge/manifest_finding.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {

struct Verdict {
  ObjectName object;                      // of an AdmissionReview, the object in it
  bool is_judged = false;                 // false for a kind that neither is nor holds a pod
  bool is_excluded = false;               // it would be, in a namespace that the webhooks select
  bool is_patch = false;                  // for another object, as it looks
  bool asks_for_windows = false;          // whether a pod that was judged does
  std::vector<ManifestFinding> findings;  // ordered by location
  std::size_t left_out = 0;               // at least so many are not among these
  std::size_t accepted = 0;               // findings that the configuration accepts
  bool is_exempt = false;                 // the configuration exempts it, but for its namespace
};

/// Says how many findings were left out.
manifests::FileError left_out_error(const manifests::Location& at, const Verdict& verdict);

}  // namespace winadmit::cli
