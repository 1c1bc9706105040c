// A report of findings with hostile texts, in any format.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/report/report.hpp"

namespace winadmit::test {

/// Ends a command, a string, an element and a line of whatever shows it.
inline const std::string kHostile =
    "x\n::error title=forged::\r\n</script><script>alert(1)</script>\"'&<img src=x onerror=a()>"
    "]]>%0A\x1b[31m\u202E\u0085,:#\\";

inline cli::ManifestFinding hostile_finding() {
  return {.location = {.file = "dir/" + kHostile,
                       .line = 3,
                       .column = 5,
                       .end_column = 12,
                       .text = "    hostPID: true"},
          .object = {.group = "apps", .kind = kHostile, .name_space = kHostile, .name = kHostile},
          .is_denial = true,
          .field = "metadata.annotations[" + kHostile + ']',
          .pointer = "/a",
          .reason = kHostile,
          .instead = "remove it",
          .rule = "host-pid",
          .source = "https://kubernetes.io/docs/",
          .fingerprint = "0123"};
}

/// A line with other characters than ASCII before the field: 16 bytes, 13 code points.
inline cli::ManifestFinding finding_behind_other_characters() {
  cli::ManifestFinding finding = hostile_finding();
  finding.location = {.file = "a.yaml",
                      .line = 3,
                      .column = 17,
                      .end_column = 30,
                      .text = "  {a: \"\u00e9\u4e2d\", hostPID: true}"};
  return finding;
}

/// The whole report about one object with this finding, and one error.
inline std::string report_of(const cli::ManifestFinding& finding, const std::string& format,
                             const cli::ReportSettings& settings = {}) {
  std::ostringstream out;
  const auto report = cli::make_report(format, out, settings);
  const cli::Verdict verdict{.object = finding.object, .is_judged = true, .findings = {finding}};
  cli::Summary summary;
  summary.add(verdict);
  summary.excluded_objects[kHostile] = 1;
  summary.not_judged[finding.object.group_kind()] = 1;
  summary.errors.push_back(kHostile);
  summary.skipped.push_back(kHostile);
  summary.skipped_charts.push_back(kHostile);
  summary.skipped_templates.push_back(kHostile);
  report->begin();
  report->finding(finding);
  report->object({.location = finding.location, .verdict = verdict});
  report->error({.what = kHostile, .location = finding.location});
  report->end(summary);
  return out.str();
}

/// The report of these findings alone, without their objects.
inline std::string report_of_findings(const std::vector<cli::ManifestFinding>& findings,
                                      const std::string& format,
                                      const cli::ReportSettings& settings = {}) {
  std::ostringstream out;
  const auto report = cli::make_report(format, out, settings);
  report->begin();
  for (const cli::ManifestFinding& each : findings) report->finding(each);
  report->end({});
  return out.str();
}

}  // namespace winadmit::test
