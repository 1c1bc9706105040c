#include "cli/report/report.hpp"

#include <algorithm>
#include <array>
#include <iterator>

#include "cli/report/formats.hpp"

namespace winadmit::cli {
namespace {

struct Format {
  std::string_view name;
  std::unique_ptr<Report> (*make)(std::ostream& out, const ReportSettings& settings);
};

constexpr auto kFormats = std::to_array<Format>({{"text", make_text_report},
                                                 {"json", make_json_report},
                                                 {"sarif", make_sarif_report},
                                                 {"junit", make_junit_report},
                                                 {"github", make_github_report},
                                                 {"gitlab", make_gitlab_report},
                                                 {"html", make_html_report}});

}  // namespace

std::string ReportedObject::name() const {
  const std::string object = verdict.object.to_string();
  return object.empty() && !verdict.findings.empty() ? verdict.findings.front().rule : object;
}

void Report::finding_without_object(const ManifestFinding& about) {
  finding(about);
  if (!wants_objects()) return;
  const Verdict verdict{.object = {}, .is_judged = true, .findings = {about}};
  object({.location = about.location, .verdict = verdict});
}

bool fails(const ManifestFinding& finding, const ReportSettings& settings) {
  return finding.is_denial || settings.fails_on == Action::warn;
}

const std::vector<std::string>& report_formats() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    names.reserve(std::size(kFormats));
    for (const Format& each : kFormats) names.emplace_back(each.name);
    return names;
  }();
  return kNames;
}

std::unique_ptr<Report> make_report(std::string_view format, std::ostream& out,
                                    const ReportSettings& settings) {
  return std::ranges::find(kFormats, format, &Format::name)->make(out, settings);
}

}  // namespace winadmit::cli
