// The subcommand completion: a script for a shell, which runs `winadmit __complete` with the words
// of the command line when Tab is pressed.
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/judge/rule_ids.hpp"
#include "cli/options.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kBash =
    R"(# bash completion for winadmit: source <(winadmit completion bash)
_winadmit() {
  local current="${COMP_WORDS[COMP_CWORD]#=}" offered
  mapfile -t offered < <(
    "${COMP_WORDS[0]/#\~/$HOME}" __complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  case "${offered[0]-}" in
    :files) mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
    :folders) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    *) mapfile -t COMPREPLY < <(compgen -W "${offered[*]%%$'\t'*}" -- "$current"); return ;;
  esac
  compopt -o filenames 2>/dev/null
}
complete -F _winadmit winadmit kubectl-winadmit
)";

constexpr std::string_view kZsh = R"(#compdef winadmit kubectl-winadmit
# zsh completion for winadmit: source <(winadmit completion zsh)
_winadmit() {
  local -a offered
  offered=("${(@f)$(${~words[1]} __complete "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
  [[ $words[CURRENT] != --*=* ]] || compset -P '*='
  case $offered[1] in
    :files) _files ;;
    :folders) _files -/ ;;
    ?*) offered=("${(@)offered/$'\t'/:}"); _describe winadmit offered ;;
  esac
}
# A file in a folder of fpath is the function, when it is called for the first time.
if [[ $funcstack[1] == _winadmit ]]; then
  _winadmit "$@"
else
  compdef _winadmit winadmit kubectl-winadmit
fi
)";

constexpr std::string_view kFish =
    R"(# fish completion for winadmit: winadmit completion fish | source
function __winadmit_offer
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l prefix (string match -r -- '^--[^=]*=' "$current")
  set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
  set -g __winadmit_offered ($program __complete $words[2..] "$current" 2>/dev/null)
  switch "$__winadmit_offered[1]"
    case :files
      return 1 # fish offers files by itself
    case :folders
      set __winadmit_offered (
        __fish_complete_directories (string replace -- "$prefix" '' "$current"))
  end
  set __winadmit_offered "$prefix"$__winadmit_offered
  return 0
end
complete -c winadmit -c kubectl-winadmit -n __winadmit_offer -f -a '$__winadmit_offered'
)";

/// The lines for what an option takes: its values, or the word that asks the shell for files.
std::string offer_values(std::string name) {
  if (name.starts_with("FILE")) return ":files\n";
  if (name == "FOLDER") return ":folders\n";
  if (name.find('|') == name.npos) return "";
  std::ranges::replace(name, '|', '\n');
  return name + '\n';
}

/// Null for a flag that the command does not have, or that takes no value.
const CLI::Option* find_flag_with_value(const CLI::App& command, const std::string& name) {
  const CLI::Option* const flag = command.get_option_no_throw(name);
  return flag == nullptr || flag_of(*flag).value.empty() ? nullptr : flag;
}

/// Those that begin with a text: fish would also offer flags that are merely similar.
std::string offer_flags(const CLI::App& command, const std::string& begin) {
  std::string lines;
  for (const CLI::Option* each : command.get_options()) {
    const FlagInfo flag = flag_of(*each);
    for (const std::string& name : flag.names)
      if (name.starts_with(begin)) lines += name + '\t' + flag.description + '\n';
  }
  return lines;
}

std::string offer_arguments(const CLI::App& command) {
  std::string lines;
  for (const CLI::Option* each : command.get_options()) {
    if (!each->get_positional()) continue;
    const std::string name = each->get_name(true);
    lines += offer_values(name.starts_with("FILE") ? name : flag_of(*each).value);
    if (name != "ID-OR-FIELD") continue;
    for (const std::string_view id : rule_ids()) lines.append(id) += '\n';
  }
  return lines;
}

}  // namespace

std::string complete(const CLI::App& app, std::vector<std::string> words) {
  std::string current;
  if (!words.empty()) {
    current = std::move(words.back());
    words.pop_back();
  }
  // The command, and the one below which a subcommand stands: it is another after "help".
  const CLI::App *command = &app, *above = &app;
  const CLI::Option* flag = nullptr;  // of which the next word is the value
  bool has_ended_flags = false;
  const auto subcommands = [&] {
    return above->get_subcommands([&](const CLI::App* each) { return each != command; });
  };
  for (const std::string& word : words) {
    if (word == "=") continue;  // bash makes three words of --platform=gke
    if (flag != nullptr) {
      flag = nullptr;
    } else if (word.starts_with('-') && !has_ended_flags) {
      has_ended_flags = word == "--";
      flag = find_flag_with_value(*command, word);
    } else {
      const auto below = subcommands();
      const auto named =
          std::ranges::find(below, word, [](const CLI::App* each) { return each->get_name(); });
      if (named == below.end()) continue;
      if (command == above) command = *named;
      if (word != "help") above = *named;
    }
  }
  const bool is_flag = current.starts_with('-') && !has_ended_flags;
  const std::size_t sign = current.find('=');
  if (flag == nullptr && is_flag) {
    if (sign == current.npos) return offer_flags(*command, current);
    flag = find_flag_with_value(*command, current.substr(0, sign));
    if (flag == nullptr) return "";
  }
  if (flag != nullptr) return offer_values(flag_of(*flag).value);
  std::string lines;
  for (const CLI::App* each : subcommands())
    lines += each->get_name() + '\t' + each->get_description() + '\n';
  return lines + offer_arguments(*command);
}

void add_completion(CLI::App& app) {
  auto shell = std::make_shared<std::string>();
  CLI::App* command =
      app.add_subcommand("completion", "Print a script that completes commands in a shell");
  limit_to(command->add_option("SHELL", *shell, "bash, zsh or fish")->required(),
           {"bash", "zsh", "fish"});
  command->callback([shell] {
    std::cout << (*shell == "bash" ? kBash : *shell == "zsh" ? kZsh : kFish);
  });
}

}  // namespace winadmit::cli
