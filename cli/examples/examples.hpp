// A pod before and after a finding, for each rule. The folder has a file for each; the build makes
// this table of them.
#pragma once

#include <span>
#include <string_view>

namespace winadmit::cli {

struct Example {
  std::string_view rule;
  /// Lines of a pod in YAML that begin with "-" before, "+" after, or a space in both cases. A
  /// first line "# Kubernetes 1.19" names a release; else it is the newest.
  std::string_view diff;
};

/// Sorted by rule.
std::span<const Example> examples();

}  // namespace winadmit::cli
