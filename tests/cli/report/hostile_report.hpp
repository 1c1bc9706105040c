// A report in which each text that a file can choose is the same one.
#pragma once

#include <sstream>
#include <string>

#include "cli/report/report.hpp"

namespace winadmit::test {

inline cli::ManifestFinding finding_of_text(const std::string& text) {
  return {.location = {.file = text, .line = 3, .column = 5, .end_column = 12, .text = text},
          .object = {.group = text, .kind = text, .name_space = text, .name = text},
          .source_file = text,
          .is_denial = true,
          .field = text,
          .pointer = text,
          .reason = text,
          .instead = text,
          .rule = "host-pid",
          .source = "https://kubernetes.io/docs/",
          .fix = {{.begin = {1, 1}, .end = {1, 2}, .text = text}},
          .fingerprint = "0123"};
}

inline std::string report_of_text(const std::string& text, const std::string& format,
                                  bool is_for_terminal) {
  std::ostringstream out;
  const auto report =
      cli::make_report(format, out, {.is_for_terminal = is_for_terminal, .colour = false});
  const cli::ManifestFinding finding = finding_of_text(text);
  const cli::Verdict verdict{.object = finding.object, .is_judged = true, .findings = {finding}};
  const cli::Verdict not_judged{.object = finding.object, .findings = {}};
  cli::Summary summary;
  summary.add(verdict);
  summary.add(not_judged);
  summary.excluded_objects[text] = 1;
  summary.errors = summary.skipped = summary.skipped_charts = {text};
  report->begin();
  report->finding(finding);
  report->object({.location = finding.location, .verdict = verdict});
  report->object({.location = finding.location, .verdict = not_judged});
  report->finding_without_object(finding);
  report->error({.what = text, .location = finding.location});
  report->error({.what = text, .location = {}});
  report->end(summary);
  return out.str();
}

}  // namespace winadmit::test
