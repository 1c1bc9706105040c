// What the options of several subcommands have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// The environment variable of a flag: WINADMIT_TLS_CERT for --tls-cert.
std::string environment_name(std::string_view flag);

/// Lets environment variables set the flags of serve, apart from those with a one-letter form, and
/// a few flags of the other subcommands of `command`. A variable with a wrong value is a
/// CLI::ValidationError.
void add_environment_names(CLI::App& command);

/// Makes an empty value, as of an unset variable of a shell, an error of every option of `command`
/// and of its subcommands. It would count as if the option were absent.
void refuse_empty_values(CLI::App& command);

/// Why a text is no decimal number without a sign. Empty if it is one.
std::string find_number_error(const std::string& text);

/// Restricts `option` to decimal numbers from `least` to `most`. CLI11 would read 010 as octal.
template <typename Number>
CLI::Option* limit_to(CLI::Option* option, Number least, Number most) {
  return option->check(find_number_error)->check(CLI::Range(least, most));
}

/// Restricts `option` to `values`, which help shows as "a|b".
CLI::Option* limit_to(CLI::Option* option, const std::vector<std::string>& values);

/// Lets `option` be repeated and take several values separated by commas. An argument after its
/// value is not one more.
CLI::Option* take_list(CLI::Option* option);

/// Adds an option that sets `value` to one of `choices`, each written as `to_text` says. The
/// default is what `value` is now.
template <typename Value>
CLI::Option* add_choice(CLI::App& command, const std::string& name, Value& value,
                        std::vector<Value> choices, std::string_view (*to_text)(Value),
                        const std::string& help) {
  std::vector<std::string> names(choices.size());
  std::ranges::transform(choices, names.begin(), to_text);
  const auto set = [&value, choices = std::move(choices), to_text](const std::string& text) {
    value = *std::ranges::find(choices, text, to_text);
  };
  return limit_to(command.add_option_function<std::string>(name, set, help), names)
      ->default_str(std::string(to_text(value)));
}

/// An option as CLI11 was given it.
struct FlagInfo {
  std::vector<std::string> names;  // "-o", "--output"; empty for an argument without a name
  std::string value;               // "FILE", "text|json"; empty for a switch
  std::string range;               // "1 to 256"; empty without one
  std::string default_value;
  std::string environment;
  std::string description;
};

FlagInfo flag_of(const CLI::Option& option);

/// Formats that subcommands print.
enum class Output { text, table, json, yaml, markdown };

/// Adds -o,--output, which takes one of `formats`. The default is what `output` is now.
CLI::Option* add_output(CLI::App& command, Output& output, std::vector<Output> formats);

/// The release that `flag` was given, such as "1.34". Throws std::invalid_argument if it is none.
Version read_named_release(const std::string& flag, const std::string& text);

/// The release whose rules hold for read_named_release(). Tells on standard error if that is newer
/// than the newest known.
Version read_release(const std::string& flag, const std::string& text);

struct NamespacedName {
  std::string name_space;
  std::string name;
};

/// Parses the "NAMESPACE/NAME" that `flag` was given, both DNS labels. Throws
/// std::invalid_argument.
NamespacedName parse_namespaced_name(const std::string& flag, const std::string& text);

}  // namespace winadmit::cli
