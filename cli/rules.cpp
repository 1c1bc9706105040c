#include <iostream>
#include <map>
#include <memory>

#include "cli/commands.hpp"
#include "cli/rule_text.hpp"

namespace winadmit::cli {
namespace {

enum class Output { table, json, markdown };

struct RulesOptions {
  Output output = Output::table;
  std::string version;
};

int print(const RulesOptions& options) {
  std::optional<Version> version;
  if (!options.version.empty()) {
    version = parse_version(options.version);
    if (!version) {
      std::cerr << "winadmit: '" << options.version << "' is no Kubernetes version\n";
      return kUsage;
    }
  }
  switch (options.output) {
    case Output::table:
      std::cout << rules_as_table(version);
      break;
    case Output::json:
      std::cout << rules_as_json(version);
      break;
    case Output::markdown:
      std::cout << rules_as_markdown();
      break;
  }
  return kClean;
}

}  // namespace

void add_rules(CLI::App& app, int& exit_code) {
  static const std::map<std::string, Output> kOutputs = {
      {"table", Output::table}, {"json", Output::json}, {"markdown", Output::markdown}};
  auto options = std::make_shared<RulesOptions>();
  CLI::App* command = app.add_subcommand("rules", "Print the rule table");
  command->add_option("-o,--output", options->output, "table, json or markdown")
      ->transform(CLI::CheckedTransformer(kOutputs));
  command
      ->add_option("--kubernetes-version", options->version,
                   "Only the rules of this release (table and json)")
      ->envname("WINADMIT_KUBERNETES_VERSION")
      ->type_name("VERSION");
  command->callback([options, &exit_code] { exit_code = print(*options); });
}

}  // namespace winadmit::cli
