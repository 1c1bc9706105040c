// The program winadmit.
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

#include "cli/commands.hpp"

namespace {

/// kubectl runs a plugin by its file name: kubectl-winadmit for `kubectl winadmit`.
std::string program_name(const char* path) {
  const std::string file = std::filesystem::path(path == nullptr ? "" : path).filename().string();
  return file == "kubectl-winadmit" ? "kubectl winadmit" : "winadmit";
}

/// Suggests a command for a misspelled one. CLI11 would only say that a command is required.
void parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError&) {
    winadmit::cli::refuse_unknown_command(app);
    throw;
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace winadmit::cli;
  CLI::App app(
      "A Kubernetes admission webhook that places Windows pods and refuses what Windows does not "
      "support",
      program_name(argv[0]));
  int exit_code = kClean;
  add_commands(app, exit_code);
  try {
    parse(app, argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? kClean : kUsage;
  } catch (const std::exception& error) {
    std::cerr << "winadmit: " << error.what() << '\n';
    return kUsage;
  }
  if (!std::cout.flush()) {
    std::cerr << "winadmit: cannot write to standard output\n";
    return kUsage;
  }
  return exit_code;
}
