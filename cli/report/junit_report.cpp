// JUnit XML, as Jenkins, GitLab and others read it: a suite for each file, a case for each object.
#include <algorithm>
#include <sstream>

#include "cli/report/escape.hpp"
#include "cli/report/formats.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {
namespace {

class JunitReport final : public Report {
 public:
  JunitReport(std::ostream& out, const ReportSettings& settings) : out_(out), settings_(settings) {}

  void begin() override {
    out_ << "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"winadmit check\">\n";
  }

  bool wants_objects() const override { return true; }

  void object(const ReportedObject& object) override {
    enter(object.location.file);
    ++suite_.tests;
    suite_.cases << "    <testcase name=\"" << escape_markup(object.name()) << "\" classname=\""
                 << escape_markup(object.location.file) << "\" file=\""
                 << escape_markup(object.location.file) << '"';
    if (object.location.line > 0) suite_.cases << " line=\"" << object.location.line << '"';
    suite_.cases << ">\n";
    write_result(object.verdict);
    suite_.cases << "    </testcase>\n";
  }

  void error(const manifests::FileError& error) override {
    const std::string place = error.location.file.empty() ? "winadmit" : error.location.file;
    enter(place);
    ++suite_.tests;
    ++suite_.errors;
    suite_.cases << "    <testcase name=\"read "
                 << escape_markup(error.location.file.empty() ? error.what
                                                              : to_string(error.location))
                 << "\" classname=\"" << escape_markup(place) << "\">\n      <error message=\""
                 << escape_markup(to_string(error)) << "\"/>\n    </testcase>\n";
  }

  void end(const Summary&) override {
    leave();
    out_ << "</testsuites>\n";
  }

 private:
  struct Suite {
    std::string name;
    std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
    std::ostringstream cases;
  };

  void write_result(const Verdict& verdict) {
    std::string failures, warnings, rules;
    for (const ManifestFinding& each : verdict.findings) {
      const std::string line = escape_markup(to_string(each)) + '\n';
      if (!fails(each, settings_)) {
        warnings += line;
        continue;
      }
      failures += line;
      rules += (rules.empty() ? "" : ", ") + each.rule;
    }
    if (!failures.empty()) {
      ++suite_.failures;
      suite_.cases << "      <failure type=\"finding\" message=\"" << escape_markup(rules) << "\">"
                   << failures << "</failure>\n";
    } else if (!verdict.is_judged) {
      ++suite_.skipped;
      suite_.cases << "      <skipped message=\"not judged\"/>\n";
    }
    if (!warnings.empty()) suite_.cases << "      <system-out>" << warnings << "</system-out>\n";
  }

  void enter(const std::string& name) {
    if (suite_.name == name) return;
    leave();
    suite_.name = name;
  }

  /// The counts of a suite come before its cases, so it is written when it ends.
  void leave() {
    if (suite_.tests > 0) {
      out_ << "  <testsuite name=\"" << escape_markup(suite_.name) << "\" tests=\"" << suite_.tests
           << "\" failures=\"" << suite_.failures << "\" errors=\"" << suite_.errors
           << "\" skipped=\"" << suite_.skipped << "\">\n"
           << suite_.cases.str() << "  </testsuite>\n";
    }
    suite_ = Suite();
  }

  std::ostream& out_;
  ReportSettings settings_;
  Suite suite_;
};

}  // namespace

std::unique_ptr<Report> make_junit_report(std::ostream& out, const ReportSettings& settings) {
  return std::make_unique<JunitReport>(out, settings);
}

}  // namespace winadmit::cli
