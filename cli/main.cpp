// winadmit: one binary, a subcommand for each thing that the policy is good for.
#include <exception>
#include <iostream>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace winadmit::cli;
  CLI::App app(
      "Places Windows pods and refuses what Windows lacks: a Kubernetes admission webhook.",
      "winadmit");
  app.require_subcommand(1);
  int exit_code = kClean;
  add_serve(app, exit_code);
  add_review(app, exit_code);
  add_check(app, exit_code);
  add_fix(app, exit_code);
  add_rules(app, exit_code);
  add_explain(app, exit_code);
  add_export(app, exit_code);
  add_certs(app, exit_code);
  add_version(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kClean : kUsage;
  } catch (const std::exception& error) {
    std::cerr << "winadmit: " << error.what() << '\n';
    return kUsage;
  }
  return exit_code;
}
