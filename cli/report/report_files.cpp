#include "cli/report/report_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "bytes/files.hpp"
#include "text/similar.hpp"

namespace winadmit::cli {

ReportFile parse_report_file(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string format = text.substr(0, equals);
  const std::vector<std::string_view> formats(report_formats().begin(), report_formats().end());
  const bool is_format = std::ranges::find(formats, format) != formats.end();
  if (!is_format || equals == text.npos || equals + 1 == text.size()) {
    throw std::invalid_argument(fmt::format(
        "--report must have the form FORMAT=FILE, with one of the formats {}, not '{}'{}",
        fmt::join(formats, ", "), text, is_format ? "" : suggestion(format, formats)));
  }
  return {.format = format, .file = text.substr(equals + 1)};
}

Reports::Reports(std::string_view format, std::ostream& out, const std::vector<ReportFile>& files,
                 const ReportSettings& settings) {
  reports_.push_back(make_report(format, out, settings));
  ReportSettings of_files = settings;
  of_files.is_for_terminal = of_files.colour = false;
  for (const ReportFile& each : files) {
    refuse_irregular_file(each.file);
    texts_.push_back({.file = each.file});
    reports_.push_back(make_report(each.format, texts_.back().out, of_files));
  }
}

void Reports::begin() {
  for (const auto& each : reports_) each->begin();
}

void Reports::finding(const ManifestFinding& about) {
  for (const auto& each : reports_) each->finding(about);
}

void Reports::object(const ReportedObject& object) {
  for (const auto& each : reports_) each->object(object);
}

bool Reports::wants_objects() const {
  return std::ranges::any_of(reports_, [](const auto& each) { return each->wants_objects(); });
}

void Reports::error(const manifests::FileError& error) {
  for (const auto& each : reports_) each->error(error);
}

void Reports::end(const Summary& summary) {
  for (const auto& each : reports_) each->end(summary);
}

bool Reports::wants_fixes() const {
  return std::ranges::any_of(reports_, [](const auto& each) { return each->wants_fixes(); });
}

void Reports::write_files() const {
  for (const Text& each : texts_) write_file(each.file, each.out.view(), Readers::as_before);
}

}  // namespace winadmit::cli
