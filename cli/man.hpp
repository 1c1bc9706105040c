// Manual pages, from the table of commands.
#pragma once

#include <string>
#include <vector>

#include "cli/command_table.hpp"

namespace winadmit::cli {

/// A page of section 1 for the macros of man(7), about the program or one of its subcommands.
/// `path` must be in the table: "winadmit check".
std::string manual_page(const std::vector<CommandInfo>& table, const std::string& path);

}  // namespace winadmit::cli
