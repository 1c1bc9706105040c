// Workflow commands of GitHub Actions, which annotate the lines of a pull request:
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
#include "cli/judge/code_points.hpp"
#include "cli/report/escape.hpp"
#include "cli/report/formats.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {
namespace {

class GithubReport final : public Report {
 public:
  explicit GithubReport(std::ostream& out) : out_(out) {}

  void finding(const ManifestFinding& finding) override {
    out_ << (finding.is_denial ? "::error " : "::warning ");
    write_location(finding.location);
    const std::string title = join_parts({finding.subject(), finding.rule});
    out_ << ",title=" << escape_workflow_property(title)
         << "::" << escape_workflow_data(join_parts({finding.field, finding.message()})) << '\n';
  }

  void error(const manifests::FileError& error) override {
    out_ << "::error ";
    if (!error.location.file.empty()) {
      write_location(error.location);
      out_ << ',';
    }
    out_ << "title=winadmit::" << escape_workflow_data(error.what) << '\n';
  }

 private:
  void write_location(const manifests::Location& location) {
    const auto at = code_point_location(location);
    out_ << "file=" << escape_workflow_property(at.file);
    if (at.line > 0) out_ << ",line=" << at.line;
    if (at.column > 0) out_ << ",col=" << at.column;
    if (at.end_column > 0) out_ << ",endColumn=" << at.end_column;
  }

  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Report> make_github_report(std::ostream& out, const ReportSettings&) {
  return std::make_unique<GithubReport>(out);
}

}  // namespace winadmit::cli
