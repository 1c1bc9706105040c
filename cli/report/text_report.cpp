// For people: lines that are easy to search, or for a terminal, groups with source lines.
#include <string>

#include "cli/report/formats.hpp"
#include "cli/report/source_lines.hpp"
#include "cli/terminal/terminal.hpp"
#include "manifests/utf8.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

class LineReport final : public Report {
 public:
  explicit LineReport(std::ostream& out) : out_(out) {}
  void finding(const ManifestFinding& finding) override { out_ << to_string(finding) << '\n'; }

 private:
  std::ostream& out_;
};

class TerminalReport final : public Report {
 public:
  TerminalReport(std::ostream& out, const ReportSettings& settings)
      : out_(out), settings_(settings) {}

  void finding(const ManifestFinding& finding) override {
    if (finding.location.file != file_) {
      file_ = finding.location.file;
      out_ << styled(Style::bold, printable(file_)) << '\n';
    }
    write_head(finding);
    write_source(finding);
    out_ << "    " << printable(join_parts({finding.field, finding.reason})) << '\n';
    if (!finding.instead.empty()) {
      out_ << "    " << styled(Style::green, "help: ") << printable(finding.instead) << '\n';
    }
    out_ << '\n';
  }

  void end(const Summary& summary) override {
    if (settings_.quiet) return;
    for (const ActionCounts& each : counts_by_action(summary)) {
      const Style style = each.are_denials ? Style::red : Style::yellow;
      out_ << styled(style, std::string(each.label()) + ": ") << each.by_rule << '\n';
    }
    for (const std::string& line : summary_lines(summary)) out_ << line << '\n';
  }

 private:
  std::string styled(Style style, const std::string& text) const {
    return settings_.colour ? cli::styled(style, text) : text;
  }

  void write_head(const ManifestFinding& finding) {
    const auto& at = finding.location;
    out_ << "  ";
    if (at.line > 0) {
      out_ << styled(Style::cyan, std::to_string(at.line) + ':' + std::to_string(at.column)) << ' ';
    }
    out_ << (finding.is_denial ? styled(Style::red, "error") : styled(Style::yellow, "warning"));
    out_ << ' ' << styled(Style::bold, finding.rule) << "  " << printable(finding.subject())
         << '\n';
  }

  void write_source(const ManifestFinding& finding) {
    constexpr std::size_t kMaxShownLength = 400;  // minified JSON says nothing to people
    const std::string_view line = lines_.line(finding.location);
    if (line.empty() || line.size() > kMaxShownLength) return;
    const Underline part = find_underline(finding.location, line);
    const std::string number = std::to_string(finding.location.line);
    out_ << "    " << styled(Style::faint, number + " | ") << printable(line) << '\n';
    if (part.size == 0) return;
    // As far as each character takes one column.
    const auto width = [](const std::string& of) { return manifests::count_code_points(of); };
    const std::string marks(width(printable(line.substr(part.begin, part.size))), '^');
    const std::string before(width(printable(line.substr(0, part.begin))), ' ');
    out_ << "    " << styled(Style::faint, std::string(number.size(), ' ') + " | ") << before
         << styled(finding.is_denial ? Style::red : Style::yellow, marks) << '\n';
  }

  std::ostream& out_;
  ReportSettings settings_;
  std::string file_;
  SourceLines lines_;
};

}  // namespace

std::unique_ptr<Report> make_text_report(std::ostream& out, const ReportSettings& settings) {
  if (settings.is_for_terminal) return std::make_unique<TerminalReport>(out, settings);
  return std::make_unique<LineReport>(out);
}

}  // namespace winadmit::cli
