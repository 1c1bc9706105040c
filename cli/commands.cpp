#include "cli/commands.hpp"

#include "cli/options.hpp"

namespace winadmit::cli {

void add_commands(CLI::App& app, int& exit_code) {
  app.require_subcommand(1);
  add_serve(app, exit_code);
  add_review(app, exit_code);
  add_check(app, exit_code);
  add_fix(app, exit_code);
  add_rules(app, exit_code);
  add_explain(app, exit_code);
  add_export(app, exit_code);
  add_certs(app, exit_code);
  add_verify(app, exit_code);
  add_version(app);
  add_environment_names(app);
}

}  // namespace winadmit::cli
