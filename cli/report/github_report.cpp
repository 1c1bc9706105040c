// Workflow commands of GitHub Actions, which annotate the lines of a pull request:
// https://docs.github.com/actions/reference/workflows-and-actions/workflow-commands
#include "cli/judge/code_points.hpp"
#include "cli/report/escape.hpp"
#include "cli/report/formats.hpp"

namespace winadmit::cli {
namespace {

class GithubReport final : public Report {
 public:
  explicit GithubReport(std::ostream& out) : out_(out) {}

  void finding(const ManifestFinding& finding) override {
    const auto at = code_point_location(finding.location);
    out_ << (finding.is_denial ? "::error " : "::warning ")
         << "file=" << escape_workflow_property(at.file);
    if (at.line > 0) out_ << ",line=" << at.line;
    if (at.column > 0) out_ << ",col=" << at.column;
    if (at.end_column > 0) out_ << ",endColumn=" << at.end_column;
    const std::string object = finding.object.to_string();
    out_ << ",title="
         << escape_workflow_property(object + (object.empty() ? "" : ": ") + finding.rule) << "::";
    const std::string field = finding.field.empty() ? "" : finding.field + ": ";
    out_ << escape_workflow_data(field + finding.message) << '\n';
  }

  void error(const std::string& line) override {
    out_ << "::error title=winadmit::" << escape_workflow_data(line) << '\n';
  }

 private:
  std::ostream& out_;
};

}  // namespace

std::unique_ptr<Report> make_github_report(std::ostream& out, const ReportSettings&) {
  return std::make_unique<GithubReport>(out);
}

}  // namespace winadmit::cli
