#include "cli/report/report_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <system_error>

#include "bytes/error.hpp"
#include "bytes/files.hpp"
#include "cli/project/project.hpp"
#include "text/similar.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

/// Without links; also of a file that does not exist.
fs::path path_of(const std::string& file) {
  std::error_code none;
  return fs::weakly_canonical(fs::absolute(file, none), none);
}

/// Throws Error if the file is a symbolic link, or is in a folder that is one, at or below the
/// working directory: a repository may have committed it. Links elsewhere are the system's.
void refuse_link(const fs::path& file) {
  std::error_code none;
  const fs::path here = fs::current_path(none);
  const fs::path whole = fs::absolute(file, none);
  fs::path path;
  for (const fs::path& part : whole) {
    const fs::path folder = fs::weakly_canonical(path, none);
    const bool is_here = std::ranges::mismatch(here, folder).in1 == here.end();
    path /= part;
    if ((is_here || path == whole) && fs::is_symlink(fs::symlink_status(path, none)))
      throw Error("cannot write " + file.string() + ": " + path.string() + " is a symbolic link");
  }
}

}  // namespace

ReportFile parse_report_file(const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string format = text.substr(0, equals);
  const std::vector<std::string_view> formats(report_formats().begin(), report_formats().end());
  const bool is_format = std::ranges::find(formats, format) != formats.end();
  const std::string file = equals == text.npos ? "" : text.substr(equals + 1);
  if (!is_format || file.empty() || file == "-") {
    throw std::invalid_argument(fmt::format(
        "--report-file must have the form FORMAT=FILE, with one of the formats {}, not '{}'{}",
        fmt::join(formats, ", "), text, is_format ? "" : suggestion(format, formats)));
  }
  if (fs::path(file).filename() == kProjectFile)
    throw std::invalid_argument("--report-file would overwrite " + file);
  return {.format = format, .file = file};
}

Reports::Reports(std::string_view format, std::ostream& out, const std::vector<ReportFile>& files,
                 const ReportSettings& settings) {
  reports_.push_back(make_report(format, out, settings));
  ReportSettings of_files = settings;
  of_files.is_for_terminal = of_files.colour = false;
  for (const ReportFile& each : files) {
    refuse_link(each.file);
    refuse_irregular_file(each.file);
    if (replaces(each.file)) throw Error(each.file + " is named by --report-file twice");
    texts_.push_back({.file = each.file, .path = path_of(each.file)});
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

std::string Reports::write_files() const {
  std::string errors;
  for (const Text& each : texts_) {
    if (each.is_kept) continue;
    try {
      refuse_link(each.file);  // it may be new
      write_file(each.file, each.out.view(), Readers::as_before);
    } catch (const Error& error) {
      errors += (errors.empty() ? "" : "; ") + std::string(error.what());
    }
  }
  return errors;
}

void Reports::keep(const std::string& file) {
  const auto path = path_of(file);
  for (Text& each : texts_) each.is_kept |= each.path == path;
}

bool Reports::replaces(const std::string& file) const {
  return !texts_.empty() && std::ranges::find(texts_, path_of(file), &Text::path) != texts_.end();
}

}  // namespace winadmit::cli
