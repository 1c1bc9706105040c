// The JSON report as YAML, with the same values.
#include "cli/report/formats.hpp"
#include "cli/terminal/json_stream.hpp"
#include "manifests/yaml_writer.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::ordered_json;

/// The values of the JSON report, where what is not UTF-8 is replaced.
std::string to_text(const ordered_json& value) {
  return manifests::to_ascii_yaml(ordered_json::parse(to_ascii_json(value)));
}

class YamlReport final : public Report {
 public:
  explicit YamlReport(std::ostream& out) : out_(out) {}

  void finding(const ManifestFinding& finding) override {
    if (is_empty_) out_ << "findings:\n";
    is_empty_ = false;
    ordered_json list = ordered_json::array();
    list.push_back(to_json(finding));
    out_ << to_text(list);
  }

  void end(const Summary& summary) override {
    if (is_empty_) out_ << "findings: []\n";
    out_ << to_text(report_members(summary));
  }

 private:
  std::ostream& out_;
  bool is_empty_ = true;
};

}  // namespace

std::unique_ptr<Report> make_yaml_report(std::ostream& out, const ReportSettings&) {
  return std::make_unique<YamlReport>(out);
}

}  // namespace winadmit::cli
