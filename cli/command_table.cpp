#include "cli/command_table.hpp"

#include <algorithm>
#include <regex>
#include <sstream>

#include "cli/judge/rule_ids.hpp"

namespace winadmit::cli {
namespace {

std::vector<std::string> choices_of(const std::string& value) {
  std::vector<std::string> choices;
  if (value.find('|') == std::string::npos) return choices;
  std::istringstream stream(value);
  for (std::string choice; std::getline(stream, choice, '|');) choices.push_back(choice);
  return choices;
}

}  // namespace

FlagInfo flag_of(const CLI::Option& option) {
  static const std::regex kRange(R"(:\w+ in \[(\S+) - (\S+)\]$)");
  FlagInfo flag;
  for (const std::string& name : option.get_snames()) flag.names.push_back('-' + name);
  for (const std::string& name : option.get_lnames()) flag.names.push_back("--" + name);
  flag.value = option.get_type_size() == 0 ? "" : option.get_type_name();
  // CLI11 appends a range to the type: "N:UINT in [1 - 256]".
  if (std::smatch match; std::regex_search(flag.value, match, kRange)) {
    flag.range = match[1].str() + " to " + match[2].str();
    flag.value = match.prefix();
  }
  flag.choices = choices_of(flag.value);
  flag.takes_file = flag.value == "FILE";
  flag.takes_folder = flag.value == "FOLDER";
  flag.default_value = option.get_default_str();
  flag.environment = option.get_envname();
  flag.description = option.get_description();
  return flag;
}

namespace {

void add_commands_of(const CLI::App& app, const std::string& path,
                     std::vector<CommandInfo>& table) {
  CommandInfo info{.path = path,
                   .name = app.get_name(),
                   .description = app.get_description(),
                   .flags = {},
                   .arguments = {},
                   .choices = {},
                   .subcommands = {}};
  for (const CLI::Option* option : app.get_options()) {
    FlagInfo flag = flag_of(*option);
    if (option->get_positional()) {
      const std::string name = option->get_name(true);
      info.arguments.push_back(name);
      info.choices = flag.choices;
      if (name == "ID-OR-FIELD") info.choices.assign(rule_ids().begin(), rule_ids().end());
      info.takes_files |= name.starts_with("FILE") || flag.takes_file;
    }
    if (!flag.names.empty()) info.flags.push_back(std::move(flag));
  }
  const auto subcommands = app.get_subcommands([](const CLI::App*) { return true; });
  for (const CLI::App* each : subcommands) info.subcommands.push_back(each->get_name());
  table.push_back(std::move(info));
  for (const CLI::App* each : subcommands) {
    add_commands_of(*each, path + ' ' + each->get_name(), table);
  }
}

}  // namespace

std::vector<CommandInfo> command_table(const CLI::App& app) {
  std::vector<CommandInfo> table;
  add_commands_of(app, "winadmit", table);
  return table;
}

}  // namespace winadmit::cli
