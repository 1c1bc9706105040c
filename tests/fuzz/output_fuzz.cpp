// Arbitrary bytes as a manifest, and as each text that a file can choose: what is printed of them
// has no line that a runner of CI obeys, in any format.
#include <algorithm>
#include <sstream>

#include "cli/fix/fix_file.hpp"
#include "cli/report/report.hpp"
#include "cli/terminal/error_line.hpp"
#include "manifests/read_manifests.hpp"
#include "tests/cli/report/hostile_report.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/log_of_ci.hpp"
#include "text/log_commands.hpp"
#include "text/printable.hpp"

namespace {

using namespace winadmit;
using namespace winadmit::fuzz;

void require_safe(const std::string& log) {
  require(test::obeyed_line(log, test::is_annotation).empty(), "no line is a command");
}

void report_text(const std::string& text) {
  for (const std::string& format : cli::report_formats()) {
    for (const bool is_for_terminal : {false, true})
      require_safe(test::report_of_text(text, format, is_for_terminal));
  }
  require_safe(printable_lines(text));
  require_safe(cli::error_line({.what = text, .location = {.file = text}}));
  require_safe(cli::error_line({.what = text, .location = {.file = text, .line = 1}}));
}

/// What print_exact() prints to the log of CI is as safe.
void check_exact(const std::string& text) {
  if (find_log_command(text) > 0) return;
  std::string lines = text;
  std::ranges::replace(lines, '\r', '\n');
  std::istringstream log(lines);
  for (std::string line; std::getline(log, line);)
    require(!test::obeys_github(line) && !test::obeys_others(line), "no line is a command");
  require(text.find('\x1b') == text.npos, "no section of GitLab");
}

void check_manifest(const std::string& file, cli::ManifestChecker& checker) {
  const manifests::Limits limits{.document_size = std::size_t{64} << 10U};
  std::vector<cli::ManifestFinding> findings;
  const auto fail = [](const manifests::FileError& error) { require_safe(cli::error_line(error)); };
  manifests::read_manifests(file,
                            {.object =
                                 [&](const manifests::Manifest& each) {
                                   const cli::Verdict verdict = checker.judge(each, {});
                                   findings.insert(findings.end(), verdict.findings.begin(),
                                                   verdict.findings.end());
                                 },
                             .error = fail},
                            limits);
  for (const std::string& format : cli::report_formats()) {
    std::ostringstream out;
    const auto report = cli::make_report(format, out, {.is_for_terminal = true});
    report->begin();
    for (const cli::ManifestFinding& each : findings) report->finding_without_object(each);
    report->end({});
    require_safe(out.str());
  }
  const auto print = [](const std::string& line) { require_safe(printable(line)); };
  static const cli::Project kNoProject;
  cli::AddedScheduling added;
  cli::fix_file(file, {.checker = checker,
                       .project = kNoProject,
                       .added = added,
                       .limits = limits,
                       .must_be_manifest = true,
                       .honours_ignores = true,
                       .change = print,
                       .report = print,
                       .fail = fail});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static cli::ManifestChecker checker(server::Config(), Os::windows);
  const std::string text(text_of(data, size));
  report_text(text);
  check_exact(text);
  check_manifest(file_of(text), checker);
  return 0;
}
