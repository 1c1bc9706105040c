// The program winadmit.
#include <exception>
#include <iostream>

#include "cli/commands.hpp"

int main(int argc, char** argv) {
  using namespace winadmit::cli;
  CLI::App app(
      "A Kubernetes admission webhook that places Windows pods and refuses what Windows does not "
      "support",
      "winadmit");
  int exit_code = kClean;
  add_commands(app, exit_code);
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
