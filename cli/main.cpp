// The program winadmit.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <exception>
#include <filesystem>
#include <iostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/commands.hpp"
#include "text/printable.hpp"

namespace {

/// kubectl runs a plugin by its file name: kubectl-winadmit for `kubectl winadmit`.
std::string program_name(const char* path) {
  const std::string file = std::filesystem::path(path == nullptr ? "" : path).filename().string();
  return file == "kubectl-winadmit" ? "kubectl winadmit" : "winadmit";
}

/// CLI11 takes the next argument for the value of "--exclude=", which a script writes for an empty
/// variable.
void refuse_flag_without_value(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--") return;
    if (argument.starts_with("--") && argument.find('=') == argument.size() - 1)
      throw std::invalid_argument(std::string(argument) + " has no value");
  }
}

/// Suggests a command or a flag for a misspelled one. CLI11 would only say that a command or
/// another flag is required.
void parse(CLI::App& app, int argc, char** argv) {
  refuse_flag_without_value(argc, argv);
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError&) {
    winadmit::cli::refuse_unknown_word(app);
    throw;
  } catch (const CLI::ExtrasError&) {
    winadmit::cli::refuse_unknown_word(app);
    throw;
  }
}

/// A file or socket that is opened later must not get the number of a standard stream that was
/// closed: what is printed would be written to it. The streams stay without use: reading and
/// writing fail as before.
void take_closed_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) != -1) continue;
    // It gets the lowest number that is free.
    if (::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) return;
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace winadmit::cli;
  take_closed_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error of write()
  CLI::App app(
      "A Kubernetes admission webhook that places Windows pods and refuses what Windows does not "
      "support",
      program_name(argv[0]));
  int exit_code = kClean;
  add_commands(app, exit_code);
  try {
    if (argc > 1 && argv[1] == std::string_view("__complete")) {
      std::cout << complete(app, {argv + 2, argv + argc});
    } else {
      parse(app, argc, argv);
    }
  } catch (const CLI::ParseError& error) {
    exit_code = app.exit(error) == 0 ? kClean : kError;
  } catch (const std::exception& error) {
    std::cerr << "winadmit: " << winadmit::printable_lines(error.what()) << '\n';
    return kError;
  }
  if (!std::cout.flush()) {
    std::cerr << "winadmit: cannot write to standard output\n";
    return kError;
  }
  return exit_code;
}
