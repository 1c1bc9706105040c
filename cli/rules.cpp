#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/rule_text.hpp"

namespace winadmit::cli {
namespace {

struct RulesOptions {
  Output output = Output::table;
  std::string version;
};

int print(const RulesOptions& options) {
  std::optional<Version> version;
  if (!options.version.empty()) {
    version = parse_version(options.version);
    if (!version) {
      std::cerr << "winadmit: '" << options.version << "' is not a Kubernetes version\n";
      return kUsage;
    }
  }
  if (options.output == Output::json) {
    std::cout << rules_as_json(version);
  } else if (options.output == Output::markdown) {
    std::cout << rules_as_markdown(version);
  } else {
    std::cout << rules_as_table(version);
  }
  return kClean;
}

}  // namespace

void add_rules(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command = app.add_subcommand("rules", "Print the rule table");
  add_output(*command, options->output, {Output::table, Output::json, Output::markdown});
  command
      ->add_option("--kubernetes-version", options->version, "Print only the rules of this release")
      ->type_name("VERSION");
  command->callback([options, &exit_code] { exit_code = print(*options); });
}

}  // namespace winadmit::cli
