// What identifies a finding from run to run.
#pragma once

#include <map>
#include <string>

#include "cli/judge/manifest_finding.hpp"

namespace winadmit::cli {

/// The name of a file from the working directory, whether it was relative or absolute. Symbolic
/// links stay.
std::string path_from_here(const std::string& file);

class Fingerprints {
 public:
  /// SHA-256, in hexadecimal digits, of the file, the object, the field and the rule. Neither lines
  /// count, nor the places of list entries with names. The second finding with the same of all
  /// these has another fingerprint than the first.
  std::string of(const ManifestFinding& finding);

 private:
  std::map<std::string, std::size_t> seen_;
};

}  // namespace winadmit::cli
