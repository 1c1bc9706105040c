// The JSON report as YAML. Control characters in values are escaped as in text.
#include "cli/report/formats.hpp"
#include "manifests/yaml_writer.hpp"
#include "policy/json/printable.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::ordered_json;

ordered_json printable_values(const ordered_json& value) {
  if (value.is_string()) return printable(value.get_ref<const std::string&>());
  if (!value.is_structured()) return value;
  ordered_json made = value.is_object() ? ordered_json::object() : ordered_json::array();
  for (const auto& [key, member] : value.items()) {
    if (value.is_object()) {
      made[printable(key)] = printable_values(member);
    } else {
      made.push_back(printable_values(member));
    }
  }
  return made;
}

class YamlReport final : public Report {
 public:
  explicit YamlReport(std::ostream& out) : out_(out) {}

  void finding(const ManifestFinding& finding) override {
    if (is_empty_) out_ << "findings:\n";
    is_empty_ = false;
    ordered_json list = ordered_json::array();
    list.push_back(printable_values(to_json(finding)));
    out_ << manifests::to_yaml(list);
  }

  void end(const Summary& summary) override {
    if (is_empty_) out_ << "findings: []\n";
    const ordered_json rest = {{"errors", summary.errors},
                               {"notJudged", summary.not_judged},
                               {"skipped", summary.skipped},
                               {"skippedCharts", summary.skipped_charts},
                               {"summary", to_json(summary)}};
    out_ << manifests::to_yaml(printable_values(rest));
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
