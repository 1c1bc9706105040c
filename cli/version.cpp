#include <iostream>

#include "cli/commands.hpp"
#include "config/build_info.hpp"

namespace winadmit::cli {

void add_version(CLI::App& app) {
  app.add_subcommand("version", "Print the version as JSON")->callback([] {
    std::cout << server::version_json() << '\n';
  });
}

}  // namespace winadmit::cli
