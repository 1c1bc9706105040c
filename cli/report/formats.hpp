// A maker for each format; report.cpp has their names.
#pragma once

#include <memory>
#include <ostream>

#include "cli/report/report.hpp"

namespace winadmit::cli {

std::unique_ptr<Report> make_text_report(std::ostream& out, const ReportSettings& settings);
std::unique_ptr<Report> make_json_report(std::ostream& out, const ReportSettings& settings);
std::unique_ptr<Report> make_sarif_report(std::ostream& out, const ReportSettings& settings);
std::unique_ptr<Report> make_junit_report(std::ostream& out, const ReportSettings& settings);
std::unique_ptr<Report> make_github_report(std::ostream& out, const ReportSettings& settings);
std::unique_ptr<Report> make_gitlab_report(std::ostream& out, const ReportSettings& settings);
std::unique_ptr<Report> make_html_report(std::ostream& out, const ReportSettings& settings);

}  // namespace winadmit::cli
