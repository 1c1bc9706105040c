// The Test Anything Protocol, version 14, one test for each object: https://testanything.org/
#include <algorithm>
#include <sstream>

#include "cli/report/escape.hpp"
#include "cli/report/formats.hpp"
#include "manifests/location.hpp"
#include "manifests/yaml_writer.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::ordered_json;

class TapReport final : public Report {
 public:
  TapReport(std::ostream& out, const ReportSettings& settings) : out_(out), settings_(settings) {}

  void begin() override { out_ << "TAP version 14\n"; }

  bool wants_objects() const override { return true; }

  void object(const ReportedObject& object) override {
    const auto& findings = object.verdict.findings;
    const bool is_failed = std::ranges::any_of(
        findings, [&](const ManifestFinding& each) { return fails(each, settings_); });
    out_ << (is_failed ? "not ok " : "ok ") << ++count_ << " - "
         << escape_tap(to_string(object.location) + ": " + object.name());
    if (!object.verdict.is_judged && !is_failed) out_ << " # SKIP not judged";
    out_ << '\n';
    if (findings.empty()) return;
    ordered_json lines = ordered_json::array();
    for (const ManifestFinding& each : findings) lines.push_back(to_string(each));
    out_ << "  ---\n";
    write_indented(manifests::to_ascii_yaml({{"findings", std::move(lines)}}));
    out_ << "  ...\n";
  }

  void error(const manifests::FileError& error) override {
    out_ << "not ok " << ++count_ << " - " << escape_tap(to_string(error)) << '\n';
  }

  void end(const Summary&) override { out_ << "1.." << count_ << '\n'; }

 private:
  void write_indented(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) out_ << "  " << line << '\n';
  }

  std::ostream& out_;
  ReportSettings settings_;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Report> make_tap_report(std::ostream& out, const ReportSettings& settings) {
  return std::make_unique<TapReport>(out, settings);
}

}  // namespace winadmit::cli
