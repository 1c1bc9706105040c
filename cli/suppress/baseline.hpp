// The findings of an earlier run, so that only new ones are reported.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "cli/judge/manifest_finding.hpp"

namespace winadmit::cli {

class Baseline {
 public:
  Baseline() = default;

  /// Throws std::runtime_error if the file cannot be read or is no baseline.
  explicit Baseline(const std::string& file);

  /// Whether the finding is known. A known finding is taken once.
  bool take(const ManifestFinding& finding);

  /// How many findings of a file were not taken.
  std::size_t count_left(const std::string& file) const;

 private:
  std::map<std::string, std::string> files_;  // by fingerprint
  std::map<std::string, std::size_t> left_;   // how many of `files_` name a file
};

/// Collects findings for a file.
class BaselineWriter {
 public:
  /// Throws std::runtime_error if the file is another one than a baseline, which would be lost.
  /// Nothing is written without a name.
  explicit BaselineWriter(std::string file);

  bool is_wanted() const { return !file_.empty(); }
  void add(const ManifestFinding& finding);

  /// Replaces the file as a whole; a symbolic link stays one. Throws std::runtime_error.
  void write() const;

 private:
  std::string file_;
  nlohmann::json findings_ = nlohmann::json::object();
};

}  // namespace winadmit::cli
