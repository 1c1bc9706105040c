// The subcommand help: `winadmit help certs issue` is `winadmit certs issue --help`. Also what is
// said of a command that does not exist.
#include <algorithm>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "text/printable.hpp"
#include "text/similar.hpp"

namespace winadmit::cli {
namespace {

std::string suggestion_of(std::string_view word, const std::vector<std::string>& words) {
  return suggestion(word, std::vector<std::string_view>(words.begin(), words.end()));
}

/// The subcommand with this name. Throws std::invalid_argument.
const CLI::App* find_subcommand(const CLI::App& app, const std::string& name) {
  const auto all = app.get_subcommands([](const CLI::App*) { return true; });
  const auto found =
      std::ranges::find_if(all, [&](const CLI::App* each) { return each->get_name() == name; });
  if (found != all.end()) return *found;
  std::vector<std::string> names;
  names.reserve(all.size());
  for (const CLI::App* each : all) names.push_back(each->get_name());
  throw std::invalid_argument("there is no command '" + name + '\'' + suggestion_of(name, names));
}

/// Throws CLI::ExtrasError.
[[noreturn]] void refuse_flag(const CLI::App& command, const std::string& flag) {
  const std::string name = flag.substr(0, flag.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& each : option->get_lnames()) known.push_back("--" + each);
  }
  throw CLI::ExtrasError("there is no flag " + name + suggestion_of(name, known),
                         CLI::ExitCodes::ExtrasError);
}

/// CLI11 names an argument that is missing by its flag, if it has one.
void name_arguments(const CLI::App& command, std::string& text) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string flag = option->get_name();
    if (option->get_positional() && option->nonpositional() && text.starts_with(flag + ' '))
      text = option->get_name(true) + " or " + text;
  }
}

}  // namespace

void refuse_unknown_word(const CLI::App& app) {
  const auto is_flag = [](const std::string& word) {
    return word.size() > 1 && word.front() == '-' && word != "--";
  };
  for (const CLI::App* at = &app; at != nullptr;) {
    const std::vector<std::string> words = at->remaining();
    const auto called = at->get_subcommands();
    const bool lacks_command = called.empty() && at->get_require_subcommand_min() > 0;
    if (lacks_command && !words.empty() && !is_flag(words.front()))
      find_subcommand(*at, words.front());
    const auto flag = std::ranges::find_if(words, is_flag);
    if (flag != words.end()) refuse_flag(*at, *flag);
    at = called.empty() ? nullptr : called.front();
  }
}

std::string describe_error(const CLI::App* app, const CLI::Error& error) {
  std::string text = printable_lines(error.what()) + '\n';
  if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
    std::string path = app->get_name();
    for (auto called = app->get_subcommands(); !called.empty(); called = app->get_subcommands()) {
      app = called.front();
      path += ' ' + app->get_name();
    }
    name_arguments(*app, text);
    const std::string help = app->get_formatter()->make_help(app, path, CLI::AppFormatMode::Normal);
    const std::size_t usage = help.find("Usage: ");
    if (usage != help.npos) text += help.substr(usage, help.find('\n', usage) + 1 - usage);
  }
  return text + "Run with --help for more information.\n";
}

const CLI::App& find_command(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* found = &app;
  for (const std::string& word : words) found = find_subcommand(*found, word);
  return *found;
}

void add_help(CLI::App& app) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* command = app.add_subcommand("help", "Explain a command");
  command->add_option("COMMAND", *words, "Such as check, or certs issue");
  command->callback([words, &app] {
    const CLI::App& found = find_command(app, *words);
    std::string path = app.get_name();
    for (const std::string& word : *words) path += ' ' + word;
    // App::help() would explain the subcommand that was called, which is this one.
    std::cout << found.get_formatter()->make_help(&found, path, CLI::AppFormatMode::Normal);
  });
}

}  // namespace winadmit::cli
