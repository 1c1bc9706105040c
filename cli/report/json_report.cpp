// One JSON object: findings as they come, then what else there is to say.
#include "cli/report/formats.hpp"
#include "cli/terminal/json_stream.hpp"

namespace winadmit::cli {
namespace {

class JsonReport final : public Report {
 public:
  explicit JsonReport(std::ostream& out) : out_(out), findings_(out, 1) {}

  void begin() override {
    out_ << "{\n  \"findings\": ";
    findings_.begin();
  }

  void finding(const ManifestFinding& finding) override { findings_.add(to_json(finding)); }

  void end(const Summary& summary) override {
    findings_.end();
    const nlohmann::ordered_json members = report_members(summary);
    for (const auto& [name, value] : members.items()) {
      out_ << ",\n";
      write_member(out_, 1, name, value);
    }
    out_ << "\n}\n";
  }

 private:
  std::ostream& out_;
  JsonList findings_;
};

}  // namespace

std::unique_ptr<Report> make_json_report(std::ostream& out, const ReportSettings&) {
  return std::make_unique<JsonReport>(out);
}

}  // namespace winadmit::cli
