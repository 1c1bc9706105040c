// The three scripts. All of them find out the subcommand from the words before the cursor, and then
// offer what its row has.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <iterator>

#include "cli/completion.hpp"
#include "cli/terminal/shell_word.hpp"

namespace winadmit::cli {
namespace {

/// For a description in a specification of zsh.
std::string zsh_description(const std::string& text) {
  std::string made;
  for (const char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') made += '\\';
    made += c;
  }
  return made;
}

/// The table, with more rows: each command that is an argument of another, such as `help check`, is
/// a subcommand of it.
std::vector<CommandInfo> with_commands_as_arguments(const std::vector<CommandInfo>& table) {
  std::vector<CommandInfo> rows;
  const std::string& root = table.front().path;
  for (const CommandInfo& command : table) {
    rows.push_back(command);
    if (command.arguments != std::vector<std::string>{"COMMAND"}) continue;
    for (const CommandInfo& named : table) {
      if (&named == &command) continue;  // "winadmit help help"
      CommandInfo row{.path = command.path + named.path.substr(root.size()),
                      .name = named.name,
                      .description = named.description,
                      .flags = {},
                      .arguments = {},
                      .choices = {},
                      .subcommands = named.subcommands};
      std::erase(row.subcommands, command.name);
      if (&named == &table.front()) {
        rows.back().subcommands = std::move(row.subcommands);
      } else {
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

/// Subcommands, and values of an argument.
std::vector<std::string> words_of(const CommandInfo& command) {
  std::vector<std::string> words = command.subcommands;
  words.insert(words.end(), command.choices.begin(), command.choices.end());
  return words;
}

std::vector<std::string> flags_of(const CommandInfo& command) {
  std::vector<std::string> names;
  for (const FlagInfo& flag : command.flags)
    names.insert(names.end(), flag.names.begin(), flag.names.end());
  return names;
}

/// "'winadmit check:-o'|'winadmit check:--output'": a pattern of `case`.
std::string flag_pattern(const CommandInfo& command, const FlagInfo& flag) {
  std::vector<std::string> patterns;
  patterns.reserve(flag.names.size());
  for (const std::string& name : flag.names) {
    patterns.push_back('\'' + command.path + ':' + name + '\'');
  }
  return fmt::format("{}", fmt::join(patterns, "|"));
}

/// Sets `command` to the subcommand that the words name.
std::string find_command(const std::vector<CommandInfo>& table, const std::string& words) {
  std::vector<std::string> paths;
  for (const CommandInfo& each : table) {
    if (&each != &table.front()) paths.push_back('\'' + each.path + '\'');
  }
  return fmt::format(
      "  for word in {}; do\n    case \"$command $word\" in\n      {}) command=\"$command $word\" "
      ";;\n    esac\n  done\n",
      words, fmt::join(paths, "|"));
}

std::string fish_condition(const CommandInfo& command, const std::string& root) {
  std::string below = command.path.substr(root.size());
  std::string condition;
  while (!below.empty()) {
    below.erase(0, 1);
    const std::string word = below.substr(0, below.find(' '));
    below.erase(0, word.size());
    condition += (condition.empty() ? "" : "; and ") + ("__fish_seen_subcommand_from " + word);
  }
  if (!command.subcommands.empty()) {
    condition +=
        (condition.empty() ? "" : "; and ") +
        fmt::format("not __fish_seen_subcommand_from {}", fmt::join(command.subcommands, " "));
  }
  return condition;
}

/// For bash, which would take a word for a folder if there is one of that name. `kind`: 'f' for
/// files and folders, 'd' for folders.
std::string complete_files(char kind) {
  return fmt::format(
      " compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -{} -- \"$current\");",
      kind);
}

}  // namespace

std::string bash_completion(const std::vector<CommandInfo>& commands) {
  const std::vector<CommandInfo> table = with_commands_as_arguments(commands);
  std::string script =
      "# bash completion for winadmit: source <(winadmit completion bash)\n_winadmit() {\n"
      "  local current=\"${COMP_WORDS[COMP_CWORD]-}\" previous=\"${COMP_WORDS[COMP_CWORD - 1]}\"\n"
      "  local command=winadmit word words= flags= files=\n  COMPREPLY=()\n"
      // COMP_WORDBREAKS has the sign: --platform=gke is three words.
      "  [ \"$current\" != = ] || current=\n"
      "  [ \"$previous\" != = ] || previous=\"${COMP_WORDS[COMP_CWORD - 2]}\"\n";
  script += find_command(table, "\"${COMP_WORDS[@]:1:COMP_CWORD-1}\"");
  script += "  case \"$command:$previous\" in\n";
  for (const CommandInfo& command : table) {
    for (const FlagInfo& flag : command.flags) {
      if (flag.value.empty()) continue;
      script += "    " + flag_pattern(command, flag) + ')';
      if (!flag.choices.empty()) {
        script += fmt::format(" COMPREPLY=($(compgen -W '{}' -- \"$current\"));",
                              fmt::join(flag.choices, " "));
      } else if (flag.takes_file || flag.takes_folder) {
        script += complete_files(flag.takes_file ? 'f' : 'd');
      }
      script += " return ;;\n";
    }
  }
  script += "  esac\n  case \"$command\" in\n";
  for (const CommandInfo& command : table) {
    script += fmt::format("    '{}') words='{}' flags='{}' files={} ;;\n", command.path,
                          fmt::join(words_of(command), " "), fmt::join(flags_of(command), " "),
                          command.takes_files ? "yes" : "");
  }
  script +=
      "  esac\n"
      // What follows -- is no flag.
      "  case \" ${COMP_WORDS[*]:1:COMP_CWORD-1} :$current\" in\n    *' -- '*) ;;\n"
      "    *:-*) COMPREPLY=($(compgen -W \"$flags\" -- \"$current\")); return ;;\n  esac\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
      "  [ ${#COMPREPLY[@]} -eq 0 ] && [ -n \"$files\" ] || return 0\n " +
      complete_files('f') + "\n}\ncomplete -F _winadmit winadmit kubectl-winadmit\n";
  return script;
}

std::string zsh_completion(const std::vector<CommandInfo>& commands) {
  const std::vector<CommandInfo> table = with_commands_as_arguments(commands);
  std::string script =
      "#compdef winadmit kubectl-winadmit\n"
      "# zsh completion for winadmit: source <(winadmit completion zsh)\n_winadmit() {\n"
      "  local command=winadmit word files= previous=$words[CURRENT-1]\n"
      "  local -a commands flags\n"
      "  if [[ $words[CURRENT] == --*=* ]]; then\n    previous=${words[CURRENT]%%=*}\n"
      "    compset -P '*='\n  fi\n";
  script += find_command(table, "\"${(@)words[2,CURRENT-1]}\"");
  script += "  case \"$command:$previous\" in\n";
  for (const CommandInfo& command : table) {
    for (const FlagInfo& flag : command.flags) {
      if (flag.value.empty()) continue;
      script += "    " + flag_pattern(command, flag) + ')';
      if (!flag.choices.empty()) {
        script += fmt::format(" compadd -- {};", fmt::join(flag.choices, " "));
      } else if (flag.takes_file || flag.takes_folder) {
        script += flag.takes_file ? " _files;" : " _files -/;";
      }
      script += " return ;;\n";
    }
  }
  script += "  esac\n  case \"$command\" in\n";
  for (const CommandInfo& command : table) {
    script += "    '" + command.path + "') commands=(\n";
    for (const CommandInfo& below : table) {
      if (below.path == command.path + ' ' + below.name)
        script +=
            "      " + shell_quoted(below.name + ':' + zsh_description(below.description)) + '\n';
    }
    for (const std::string& choice : command.choices)
      script += "      " + shell_quoted(choice) + '\n';
    script += "    ) flags=(\n";
    for (const FlagInfo& flag : command.flags) {
      for (const std::string& name : flag.names) {
        script += "      " + shell_quoted(name + ':' + zsh_description(flag.description)) + '\n';
      }
    }
    script += fmt::format("    ) files={} ;;\n", command.takes_files ? "yes" : "");
  }
  script +=
      "  esac\n  _describe command commands\n"
      // What follows -- is no flag.
      "  (( ${words[2,CURRENT-1][(I)--]} )) || _describe -o flag flags\n"
      "  [[ -z $files ]] || _files\n}\n"
      // A file in a folder of fpath is the function, when it is called for the first time.
      "if [[ $funcstack[1] == _winadmit ]]; then\n  _winadmit \"$@\"\nelse\n"
      "  compdef _winadmit winadmit kubectl-winadmit\nfi\n";
  return script;
}

std::string fish_completion(const std::vector<CommandInfo>& commands) {
  const std::vector<CommandInfo> table = with_commands_as_arguments(commands);
  std::string script = "# fish completion for winadmit: winadmit completion fish | source\n";
  const std::string& root = table.front().path;
  for (const CommandInfo& command : table) {
    const std::string condition = fish_condition(command, root);
    const std::string start = "complete -c winadmit -n " + shell_quoted(condition);
    for (const CommandInfo& below : table) {
      if (below.path != command.path + ' ' + below.name) continue;
      script += start + " -f -a " + below.name + " -d " + shell_quoted(below.description) + '\n';
    }
    if (!command.takes_files) script += start + " -f\n";
    if (!command.choices.empty()) {
      script += start + " -f -a " +
                shell_quoted(fmt::format("{}", fmt::join(command.choices, " "))) + '\n';
    }
    for (const FlagInfo& flag : command.flags) {
      script += start;
      for (const std::string& name : flag.names) {
        script += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
      }
      if (!flag.choices.empty()) {
        script += " -x -a " + shell_quoted(fmt::format("{}", fmt::join(flag.choices, " ")));
      } else if (flag.takes_folder) {
        script += " -x -a '(__fish_complete_directories)'";
      } else if (!flag.value.empty()) {
        script += flag.takes_file ? " -r -F" : " -x";
      }
      script += " -d " + shell_quoted(flag.description) + '\n';
    }
  }
  script += "complete -c kubectl-winadmit -w winadmit\n";
  return script;
}

}  // namespace winadmit::cli
