// The flags of the subcommand check.
#include <unistd.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "cli/check_run.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/terminal/terminal.hpp"

namespace winadmit::cli {
namespace {

struct CheckFlags {
  CheckOptions options;
  std::vector<std::string> report_files;
  std::string fail_on = "deny";
  std::string color = "auto";
};

void add_report_flags(CLI::App& command, CheckFlags& flags) {
  CheckOptions& options = flags.options;
  options.format = report_formats().front();
  limit_to(command.add_option("-o,--output", options.format, "Output format"), report_formats())
      ->capture_default_str();
  command
      .add_option("--report-file", flags.report_files,
                  "Also write a report to this file, in any of the formats; repeatable")
      ->type_name("FORMAT=FILE")
      ->allow_extra_args(false);
  limit_to(command.add_option("--color", flags.color,
                              "Colors and source lines in text; auto: on a terminal, without "
                              "colors if NO_COLOR is set"),
           {"auto", "always", "never"})
      ->capture_default_str();
  command.add_flag("-q,--quiet", options.report.quiet, "Print findings only, no summary");
  limit_to(command.add_option("--fail-on", flags.fail_on, "Findings that make the exit code 1"),
           {"deny", "warn"})
      ->capture_default_str();
  command.add_flag_callback(
      "--exit-zero", [&options] { options.fails_with_findings = false; },
      "Exit with 0 whatever is found; still with 2 if something cannot be read");
}

void add_selection_flags(CLI::App& command, CheckOptions& options) {
  command.add_flag_callback(
      "--no-mutate", [&options] { options.has_mutation = false; },
      "Judge pods as written, without what the mutating webhook would add");
  command.add_flag_callback(
      "--no-ignore", [&options] { options.honours_ignores = false; },
      "Report also what annotations, comments and .winadmit.yaml ignore");
  command
      .add_option("--baseline", options.baseline, "Leave out the findings that are in this file")
      ->type_name("FILE");
  command
      .add_option(
          "--write-baseline", options.write_baseline,
          "Write the findings to this file, and exit with 0; nothing is written if something "
          "cannot be read")
      ->type_name("FILE");
}

/// Only on the command line: what softens a verdict is in no file that the author of a manifest may
/// write.
void add_namespace_flags(CLI::App& command, CheckOptions& options) {
  command
      .add_option(
          "--namespaces", options.namespaces,
          "Judge objects by the labels of their namespaces, which are in this file, as "
          "kubectl get namespaces -o yaml prints it; - with - as a FILE, too: they are among "
          "the objects, before those that they hold")
      ->type_name("FILE");
  add_exempt_namespaces(command, options.exempt_namespaces);
  add_mode_options(command, "--default-mode", options.modes);
}

/// The files that turn findings down must not be those of the authors that are checked.
void require_trusted_files(CheckOptions& options) {
  if (!options.manifests.untrusted) return;
  options.honours_ignores = false;
  options.manifests.require_trusted("--baseline", options.baseline);
  options.manifests.require_trusted("--namespaces", options.namespaces);
  if (!options.write_baseline.empty()) {
    throw CLI::ValidationError("--write-baseline",
                               "accepts what is not trusted: --untrusted is set");
  }
}

/// Without Namespaces they would say nothing.
void require_namespaces(const CLI::App& command, const CheckOptions& options) {
  if (!options.namespaces.empty()) return;
  for (const char* name : {"--default-mode", "--opt-in"}) {
    if (command.count(name) > 0) throw CLI::ValidationError(name, "needs --namespaces");
  }
}

int check(CheckFlags& flags) {
  ReportSettings& report = flags.options.report;
  for (const std::string& each : flags.report_files)
    flags.options.report_files.push_back(parse_report_file(each));
  report.fails_on = flags.fail_on == "warn" ? Action::warn : Action::deny;
  const bool is_on_terminal = is_terminal(STDOUT_FILENO);
  const bool is_always = flags.color == "always";
  report.is_for_terminal = is_on_terminal || is_always;
  report.colour = is_always || (is_on_terminal && flags.color == "auto" && wants_colour());
  return CheckRun(flags.options).run();
}

}  // namespace

void add_check(CLI::App& app, int& exit_code) {
  auto flags = std::make_shared<CheckFlags>();
  CLI::App* command = app.add_subcommand("check", "Check manifests against the policy");
  flags->options.manifests.add_to(*command);
  add_report_flags(*command, *flags);
  add_selection_flags(*command, flags->options);
  add_namespace_flags(*command, flags->options);
  command->callback([flags, command, &exit_code] {
    flags->options.manifests.require_consistent();
    require_trusted_files(flags->options);
    require_namespaces(*command, flags->options);
    exit_code = check(*flags);
  });
}

}  // namespace winadmit::cli
