// The formats in which `winadmit check` reports. Nothing that was read from a file reaches the
// output without the escapes of its format, and no control character at all.
#pragma once

#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "cli/report/summary.hpp"
#include "manifests/location.hpp"
#include "policy/rules/action.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// An object that was read, after its findings; or a finding about no object, in their place.
struct ReportedObject {
  manifests::Location location;
  const Verdict& verdict;

  /// "Pod web", or the rule of the finding about no object.
  std::string name() const;
};

/// Writes one report. The findings of an object come before the object.
class Report {
 public:
  virtual ~Report() = default;
  virtual void begin() {}
  virtual void finding(const ManifestFinding&) {}
  /// About an entry of .winadmit.yaml, or a comment. Formats that report by objects have it, too.
  void finding_without_object(const ManifestFinding& finding);
  virtual void object(const ReportedObject&) {}
  /// Whether object() is used. Its location takes time.
  virtual bool wants_objects() const { return false; }
  virtual void error(const manifests::FileError&) {}
  virtual void end(const Summary&) {}
  /// Whether ManifestFinding::fix is used. It takes time.
  virtual bool wants_fixes() const { return false; }
};

struct ReportSettings {
  bool is_for_terminal = false;  // text: grouped by file, with source lines
  bool colour = false;
  bool quiet = false;                   // no summary for people
  Action fails_on = Action::deny;       // deny or warn: what makes an object fail
  Version kubernetes = kNewestVersion;  // by which the objects are judged
};

/// Whether a finding makes its object fail.
bool fails(const ManifestFinding& finding, const ReportSettings& settings);

/// The names of the formats; the first is the default.
const std::vector<std::string>& report_formats();

/// `format` must be one of them. `out` must outlive the report.
std::unique_ptr<Report> make_report(std::string_view format, std::ostream& out,
                                    const ReportSettings& settings);

}  // namespace winadmit::cli
