// The subcommands and flags as data, for completion and the reference: what CLI11 was given.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace winadmit::cli {

struct FlagInfo {
  std::vector<std::string> names;  // "-o", "--output"; empty for an argument without a name
  std::string value;               // "FILE", "text|json"; empty for a switch
  std::string range;               // "1 to 256"; empty without one
  std::vector<std::string> choices;
  bool takes_file = false;
  bool takes_folder = false;
  std::string default_value;
  std::string environment;
  std::string description;
};

struct CommandInfo {
  std::string path;  // "winadmit certs issue"
  std::string name;  // "issue"
  std::string description;
  std::vector<FlagInfo> flags;
  std::vector<std::string> arguments;    // names: "FILE"
  std::vector<std::string> choices;      // values of an argument that completion offers
  std::vector<std::string> subcommands;  // names
  bool takes_files = false;              // as an argument
};

FlagInfo flag_of(const CLI::Option& option);

/// The program and all its subcommands, each before those below it.
std::vector<CommandInfo> command_table(const CLI::App& app);

}  // namespace winadmit::cli
