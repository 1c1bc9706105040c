// The subcommands. Each function adds one to `app`; parsing the arguments then runs the one that
// was called, which sets `exit_code`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace winadmit::cli {

/// Exit codes of every subcommand.
inline constexpr int kClean = 0;
inline constexpr int kNegative = 1;  // refused, not fixed, not usable, not finished, or not working
inline constexpr int kError = 2;     // usage error, unreadable input, or failure to start
inline constexpr const char* kExitCodes =
    "0 success; 1 a manifest or review is refused, `fix` cannot fix it, certificates are not "
    "usable, a rotation is not finished, or `verify` gets no verdict; 2 usage error, unreadable "
    "input, or failure to start.";

/// Adds all subcommands, and the environment names of their flags. The reference of flags is
/// generated from what this adds.
void add_commands(CLI::App& app, int& exit_code);

/// The subcommand that the words name, `app` itself without any. Throws std::invalid_argument.
const CLI::App& find_command(const CLI::App& app, const std::vector<std::string>& words);

/// After parsing has failed: throws std::invalid_argument if a word stands for a subcommand and
/// names none, and CLI::ExtrasError for a flag that the command does not have.
void refuse_unknown_word(const CLI::App& app);

/// What a wrong command line is answered with. If something is missing, how the command is used.
std::string describe_error(const CLI::App* app, const CLI::Error& error);

/// What `winadmit __complete WORDS...` prints for the words of a command line, the last of which is
/// being typed: a line for each word that may stand there, with its description after a tab; or
/// ":files" or ":folders".
std::string complete(const CLI::App& app, std::vector<std::string> words);

void add_serve(CLI::App& app, int& exit_code);
void add_review(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_fix(CLI::App& app, int& exit_code);
void add_rules(CLI::App& app, int& exit_code);
void add_explain(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_certs(CLI::App& app, int& exit_code);
void add_verify(CLI::App& app, int& exit_code);
void add_version(CLI::App& app);
void add_completion(CLI::App& app);
void add_help(CLI::App& app);

}  // namespace winadmit::cli
