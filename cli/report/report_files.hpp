// Reports that are written to files, beside the one on standard output.
#pragma once

#include <filesystem>
#include <list>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "cli/report/report.hpp"

namespace winadmit::cli {

struct ReportFile {
  std::string format;
  std::string file;
};

/// Parses "FORMAT=FILE". Throws std::invalid_argument.
ReportFile parse_report_file(const std::string& text);

/// Several reports of one run: the first on an output stream, the others in files.
class Reports : public Report {
 public:
  /// `out` must outlive this. Throws Error if a file cannot be replaced, is a link, or is named
  /// twice.
  Reports(std::string_view format, std::ostream& out, const std::vector<ReportFile>& files,
          const ReportSettings& settings);

  void begin() override;
  void finding(const ManifestFinding& about) override;
  void object(const ReportedObject& object) override;
  bool wants_objects() const override;
  void error(const manifests::FileError& error) override;
  void end(const Summary& summary) override;
  bool wants_fixes() const override;

  /// To be called after end(): replaces each file as a whole. Returns what cannot be written and
  /// why; "" if all are.
  std::string write_files() const;

  /// Whether this file would be replaced.
  bool replaces(const std::string& file) const;
  /// Leaves this file as it is.
  void keep(const std::string& file);

 private:
  struct Text {
    std::string file;
    std::filesystem::path path;  // of the file, without links
    std::ostringstream out = {};
    bool is_kept = false;  // the file
  };

  std::list<Text> texts_;  // do not move: reports write to them
  std::vector<std::unique_ptr<Report>> reports_;
};

}  // namespace winadmit::cli
