// Which findings a machine may fix by removing the line of the field.
#pragma once

#include "cli/judge/manifest_finding.hpp"
#include "cli/report/source_lines.hpp"

namespace winadmit::cli {

class Removal {
 public:
  /// Whether the advice is to remove the field, the rule allows this for any value, and the field
  /// with its value is one line of YAML in block style, which nothing else shares.
  bool takes_one_line(const ManifestFinding& finding);

 private:
  SourceLines lines_;
};

}  // namespace winadmit::cli
