// A code quality report of GitLab: https://docs.gitlab.com/ci/testing/code_quality/
#include <algorithm>

#include "bytes/digest.hpp"
#include "cli/report/formats.hpp"
#include "cli/suppress/fingerprint.hpp"
#include "cli/terminal/json_stream.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {
namespace {

class GitlabReport final : public Report {
 public:
  explicit GitlabReport(std::ostream& out) : out_(out), findings_(out, 0) {}

  void begin() override { findings_.begin(); }

  void finding(const ManifestFinding& finding) override {
    findings_.add({{"description", headline(finding)},
                   {"check_name", finding.rule},
                   {"fingerprint", finding.fingerprint},
                   {"severity", finding.is_denial ? "major" : "minor"},
                   {"location", place(finding.location)}});
  }

  /// GitLab reads no entry without a path.
  void error(const manifests::FileError& error) override {
    if (error.location.file.empty()) return;
    findings_.add({{"description", to_string(error)},
                   {"check_name", "unreadable"},
                   {"fingerprint", sha256(to_string(error))},
                   {"severity", "critical"},
                   {"location", place(error.location)}});
  }

  void end(const Summary&) override {
    findings_.end();
    out_ << '\n';
  }

 private:
  static nlohmann::ordered_json place(const manifests::Location& location) {
    return {{"path", path_from_here(location.file)},
            {"lines", {{"begin", std::max(location.line, 1)}}}};
  }

  std::ostream& out_;
  JsonList findings_;
};

}  // namespace

std::unique_ptr<Report> make_gitlab_report(std::ostream& out, const ReportSettings&) {
  return std::make_unique<GitlabReport>(out);
}

}  // namespace winadmit::cli
