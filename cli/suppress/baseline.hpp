// The findings of an earlier run, so that only new ones are reported.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/judge/manifest_finding.hpp"

namespace winadmit::cli {

class Baseline {
 public:
  Baseline() = default;

  /// Throws std::runtime_error if the file cannot be read or is no baseline.
  explicit Baseline(const std::string& file);

  bool contains(const ManifestFinding& finding) const;

 private:
  std::set<std::string> fingerprints_;
};

/// Collects findings for a file.
class BaselineWriter {
 public:
  void add(const ManifestFinding& finding);

  /// Replaces the file. Throws std::runtime_error.
  void write(const std::string& file) const;

 private:
  nlohmann::json findings_ = nlohmann::json::object();
};

}  // namespace winadmit::cli
