#include "cli/man.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>

#include "cli/commands.hpp"
#include "config/build_info.hpp"

namespace winadmit::cli {
namespace {

/// roff reads `\` as an escape, `-` as a hyphen, and a `.` or `'` at the start of a line as a
/// request.
std::string roff(const std::string& text) {
  std::string made;
  for (const char c : text) {
    if (c == '\\') {
      made += "\\e";
    } else if (c == '-') {
      made += "\\-";
    } else {
      made += c;
    }
  }
  return made.starts_with('.') || made.starts_with('\'') ? "\\&" + made : made;
}

std::string page_name(std::string path) {
  std::ranges::replace(path, ' ', '-');
  return path;
}

std::string option_entry(const FlagInfo& flag) {
  std::string entry =
      fmt::format(".TP\n\\fB{}\\fR", roff(fmt::format("{}", fmt::join(flag.names, ", "))));
  if (!flag.value.empty()) entry += " \\fI" + roff(flag.value) + "\\fR";
  entry += '\n' + roff(flag.description) + ".\n";
  if (!flag.range.empty()) entry += "Range: " + roff(flag.range) + ".\n";
  if (!flag.default_value.empty()) entry += "Default: " + roff(flag.default_value) + ".\n";
  if (!flag.environment.empty()) entry += "Environment: " + roff(flag.environment) + ".\n";
  return entry;
}

std::string synopsis(const CommandInfo& command) {
  std::string line = "\\fB" + roff(command.path) + "\\fR";
  if (!command.flags.empty()) line += " [\\fIOPTIONS\\fR]";
  if (!command.subcommands.empty()) line += " \\fICOMMAND\\fR";
  for (const ArgumentInfo& argument : command.arguments) {
    const std::string name =
        "\\fI" + roff(argument.name) + "\\fR" + (argument.is_repeated ? "..." : "");
    line += argument.is_required ? ' ' + name : " [" + name + ']';
  }
  return line;
}

}  // namespace

std::string manual_page(const std::vector<CommandInfo>& table, const std::string& path) {
  const CommandInfo& command = *std::ranges::find(table, path, &CommandInfo::path);
  std::string upper = page_name(path);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  std::string page = fmt::format(
      ".TH {} 1 \"\" \"winadmit {}\"\n.SH NAME\n{} \\- {}\n.SH SYNOPSIS\n{}\n", upper,
      server::kVersion, roff(page_name(path)), roff(command.description), synopsis(command));
  if (!command.subcommands.empty()) page += ".SH COMMANDS\n";
  for (const CommandInfo& below : table) {
    if (below.path != path + ' ' + below.name) continue;
    page +=
        ".TP\n\\fB" + roff(page_name(below.path)) + "\\fR(1)\n" + roff(below.description) + ".\n";
  }
  if (!command.flags.empty()) page += ".SH OPTIONS\n";
  for (const FlagInfo& flag : command.flags) page += option_entry(flag);
  page += ".SH EXIT STATUS\n" + roff(kExitCodes) + '\n';
  return page;
}

void add_man(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command =
      app.add_subcommand("man", "Print a manual page, for `man -l -` or a file of section 1");
  command->add_option("COMMAND", *words, "Such as check, or certs issue");
  command->callback([words, &app] {
    find_command(app, *words);  // throws
    const std::string path =
        fmt::format("winadmit{}{}", words->empty() ? "" : " ", fmt::join(*words, " "));
    std::cout << manual_page(command_table(app), path);
  });
}

}  // namespace winadmit::cli
