#include "cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <regex>
#include <stdexcept>
#include <utility>

#include "config/label_syntax.hpp"
#include "config/release.hpp"

namespace winadmit::cli {
namespace {

/// In the order of Output.
constexpr std::string_view kOutputNames[] = {"text", "table", "json", "yaml", "markdown"};
static_assert(kOutputNames[static_cast<std::size_t>(Output::markdown)] == "markdown");

std::string_view to_text(Output output) { return kOutputNames[static_cast<std::size_t>(output)]; }

/// The flags that a variable may set in every command; serve has one for each of its flags. They
/// say what cluster and what terminal there is. What writes, forces or forgives is on the command
/// line alone: a variable holds for every command that runs after it, and nobody sees it there.
constexpr std::string_view kFlagsWithVariables[] = {
    "config",     "platform", "kubernetes-version", "color",   "no-project",  //
    "in-cluster", "server",   "token-file",         "ca-file", "namespace"};

bool may_have_variable(const CLI::App& command, const CLI::Option& option) {
  const bool has_long_form_alone = option.get_snames().empty() && !option.get_lnames().empty();
  return has_long_form_alone &&
         (command.get_name() == "serve" ||
          std::ranges::find(kFlagsWithVariables, option.get_lnames().front()) !=
              std::end(kFlagsWithVariables));
}

/// CLI11 2.1 refuses an environment variable with a wrong value; later releases ignore it.
void refuse_ignored_environment(const CLI::App& command) {
  for (const CLI::Option* option : command.get_options()) {
    const std::string name = option->get_envname();
    const char* const value = name.empty() ? nullptr : std::getenv(name.c_str());
    if (value == nullptr || *value == '\0' || option->count() > 0) continue;
    throw CLI::ValidationError(name,
                               fmt::format("'{}' is not a value of {}", value, option->get_name()));
  }
}

}  // namespace

std::string environment_name(std::string_view flag) {
  std::string name = "WINADMIT_";
  for (const char c : flag.substr(flag.find_first_not_of('-'))) {
    name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  return name;
}

void add_environment_names(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (may_have_variable(command, *option))
      option->envname(environment_name(option->get_lnames().front()));
  }
  command.parse_complete_callback([&command] { refuse_ignored_environment(command); });
  for (CLI::App* subcommand : command.get_subcommands([](CLI::App*) { return true; })) {
    add_environment_names(*subcommand);
  }
}

void refuse_empty_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    if (option->get_items_expected_max() == 0) continue;  // a flag
    option->check([](const std::string& value) { return value.empty() ? "is empty" : ""; });
  }
  for (CLI::App* subcommand : command.get_subcommands([](CLI::App*) { return true; })) {
    refuse_empty_values(*subcommand);
  }
}

std::string find_number_error(const std::string& text) {
  const bool is_decimal =
      text.find_first_not_of("0123456789") == text.npos && (text == "0" || !text.starts_with('0'));
  return is_decimal ? "" : "'" + text + "' is not a decimal number";
}

CLI::Option* limit_to(CLI::Option* option, const std::vector<std::string>& values) {
  // CLI11 would show the check's own description beside the type name.
  return option->check(CLI::IsMember(values).description(""))
      ->type_name(fmt::format("{}", fmt::join(values, "|")));
}

CLI::Option* take_list(CLI::Option* option) {
  return option->delimiter(',')->allow_extra_args(false);
}

CLI::Option* add_output(CLI::App& command, Output& output, std::vector<Output> formats) {
  return add_choice(command, "-o,--output", output, std::move(formats), to_text, "Output format");
}

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
  flag.default_value = option.get_default_str();
  flag.environment = option.get_envname();
  flag.description = option.get_description();
  return flag;
}

Version read_named_release(const std::string& flag, const std::string& text) {
  const auto version = server::parse_release(text);
  if (!version) throw std::invalid_argument(server::release_error(flag, text));
  return *version;
}

Version read_release(const std::string& flag, const std::string& text) {
  const Version named = read_named_release(flag, text);
  const std::string note = server::newer_release_note(named);
  if (!note.empty()) std::cerr << "winadmit: " << note << '\n';
  return server::known_release(named);
}

NamespacedName parse_namespaced_name(const std::string& flag, const std::string& text) {
  const std::size_t slash = std::min(text.find('/'), text.size());
  NamespacedName parsed{.name_space = text.substr(0, slash),
                        .name = text.substr(std::min(slash + 1, text.size()))};
  if (!server::is_dns_label(parsed.name_space) || !server::is_dns_label(parsed.name)) {
    throw std::invalid_argument(
        flag + " must have the form NAMESPACE/NAME, each a DNS label, not '" + text + "'");
  }
  return parsed;
}

}  // namespace winadmit::cli
