// The subcommand rules: the table of the policy, or what changes between two releases.
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/rules/rule_changes.hpp"
#include "cli/rules/rule_text.hpp"
#include "cli/terminal/terminal.hpp"

namespace winadmit::cli {
namespace {

struct RulesOptions {
  Output output = Output::table;
  std::string version;
  std::vector<std::string> diff;  // two releases
  std::string since;
};

std::optional<Version> version_of(const RulesOptions& options) {
  if (options.version.empty()) return std::nullopt;
  return read_release("--kubernetes-version", options.version);
}

std::string changes(const RulesOptions& options) {
  const bool is_diff = options.since.empty();
  const Version from =
      is_diff ? read_release("--diff", options.diff[0]) : read_release("--since", options.since);
  const auto version = version_of(options);
  const Version to =
      is_diff ? read_release("--diff", options.diff[1]) : version.value_or(kNewestVersion);
  if (options.output == Output::json) return changes_as_json(from, to);
  if (options.output == Output::markdown)
    throw std::invalid_argument("--diff and --since print a table or json, not markdown");
  return changes_as_table(from, to, terminal_width());
}

std::string table(const RulesOptions& options) {
  const auto version = version_of(options);
  if (options.output == Output::json) return rules_as_json(version);
  if (options.output == Output::markdown) return rules_as_markdown(version);
  return rules_as_table(version, terminal_width());
}

}  // namespace

void add_rules(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command = app.add_subcommand("rules", "Print the rule table");
  add_output(*command, options->output, {Output::table, Output::json, Output::markdown});
  command
      ->add_option("--kubernetes-version", options->version, "Print only the rules of this release")
      ->type_name("VERSION");
  CLI::Option* const diff =
      command->add_option("--diff", options->diff, "Print what changes between two releases")
          ->type_name("VERSION VERSION")
          ->expected(2);
  command
      ->add_option(
          "--since", options->since,
          "Print what changes from this release to that of --kubernetes-version, else to " +
              to_string(kNewestVersion))
      ->type_name("VERSION")
      ->excludes(diff);
  command->callback([options, &exit_code] {
    const bool has_changes = !options->diff.empty() || !options->since.empty();
    std::cout << (has_changes ? changes(*options) : table(*options));
    exit_code = kClean;
  });
}

}  // namespace winadmit::cli
