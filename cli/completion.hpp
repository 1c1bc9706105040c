// Scripts that complete commands, flags and their values in a shell.
#pragma once

#include <string>
#include <vector>

#include "cli/command_table.hpp"

namespace winadmit::cli {

std::string bash_completion(const std::vector<CommandInfo>& table);
std::string zsh_completion(const std::vector<CommandInfo>& table);
std::string fish_completion(const std::vector<CommandInfo>& table);

}  // namespace winadmit::cli
