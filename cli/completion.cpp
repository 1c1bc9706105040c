// The subcommand completion.
#include "cli/completion.hpp"

#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "cli/options.hpp"

namespace winadmit::cli {

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes commands in a shell");
  limit_to(command->add_option("SHELL", *shell, "bash, zsh or fish")->required(),
           {"bash", "zsh", "fish"});
  command->callback([shell, &app] {
    const auto table = command_table(app);
    std::cout << (*shell == "bash"  ? bash_completion(table)
                  : *shell == "zsh" ? zsh_completion(table)
                                    : fish_completion(table));
  });
}

}  // namespace winadmit::cli
