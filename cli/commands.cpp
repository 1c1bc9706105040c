#include "cli/commands.hpp"

#include <string>

#include "cli/options.hpp"
#include "config/build_info.hpp"

namespace winadmit::cli {

void add_commands(CLI::App& app, int& exit_code) {
  app.require_subcommand(1);
  app.failure_message(describe_error);
  app.set_version_flag("-V,--version", "winadmit " + std::string(server::kVersion));
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
  add_help(app);
  add_completion(app);
  refuse_empty_values(app);
  add_environment_names(app);
}

}  // namespace winadmit::cli
