// Prints docs/reference.md: commands, webhook paths, configuration keys and metrics, as the code
// has them; or with an argument a file of the chart. Not shipped; `make docs` and
// deploy/generate.sh run it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <string>
#include <string_view>
#include <vector>

#include "admission/route.hpp"
#include "cli/commands.hpp"
#include "cli/options.hpp"
#include "cli/rules/rule_text.hpp"
#include "config/config.hpp"
#include "policy/pod/platform.hpp"
#include "server/telemetry/metrics.hpp"
#include "tools/reference/config_schema.hpp"

namespace winadmit {
namespace {

std::string code(std::string_view text) {
  return text.empty() ? "" : fmt::format("`{}`", cli::markdown_cell(text));
}

void print_option(const CLI::Option& option) {
  const cli::FlagInfo flag = cli::flag_of(option);
  const std::string argument = code(option.get_name(true));
  std::string name = argument;
  if (!flag.names.empty()) {
    std::string text = fmt::format("{}", fmt::join(flag.names, ", "));
    if (!flag.value.empty()) text += ' ' + flag.value;
    name = (option.get_positional() ? argument + " or " : "") + code(text);
  }
  fmt::print("| {} | {} | {} | {}{} |\n", name, code(flag.environment), code(flag.default_value),
             cli::markdown_cell(flag.description), flag.range.empty() ? "" : "; " + flag.range);
}

void print_command(const CLI::App& command, const std::string& name) {
  const auto subcommands = command.get_subcommands([](const CLI::App*) { return true; });
  if (subcommands.empty()) {
    fmt::print("\n### {}\n\n{}.\n", name, command.get_description());
    bool is_first = true;
    for (const CLI::Option* option : command.get_options()) {
      if (option == command.get_help_ptr()) continue;
      if (is_first)
        fmt::print("\n| flag | environment | default | meaning |\n| --- | --- | --- | --- |\n");
      is_first = false;
      print_option(*option);
    }
  }
  for (const CLI::App* subcommand : subcommands) {
    print_command(*subcommand, name + ' ' + subcommand->get_name());
  }
}

void print_commands() {
  fmt::print(
      "\n## Commands\n\nExit codes: {}\n\nA flag wins over its environment variable, if it has "
      "one.\n",
      cli::kExitCodes);
  CLI::App app;
  int exit_code = 0;
  cli::add_commands(app, exit_code);
  print_command(app, "winadmit");
}

std::string_view meaning(const server::Route& route) {
  if (route.hook == server::Hook::mutate && route.mode == server::Mode::audit)
    return "changes nothing; what the default OS would change is an audit annotation";
  if (route.hook == server::Hook::mutate) {
    return route.default_os == Os::linux
               ? "places Windows pods, and adds a node selector for Linux to pods that select no OS"
               : "places Windows pods";
  }
  if (route.mode == server::Mode::warn) return "refuses nothing; findings are warnings";
  if (route.mode == server::Mode::audit) return "refuses nothing; findings are audit annotations";
  return "refuses Windows pods that use what Windows lacks";
}

void print_paths() {
  fmt::print(
      "\n## Webhook paths\n\n"
      "The webhook port (`--listen`) takes `POST` requests with an `AdmissionReview` `v1` or "
      "`v1beta1` "
      "over TLS.\n\n| path | does |\n| --- | --- |\n");
  for (const server::Route& route : server::kRoutes) {
    fmt::print("| {} | {}", code(route.path), meaning(route));
    if (route.default_os != Os::none)
      fmt::print("; the OS of a pod without a signal is {}", to_string(route.default_os));
    fmt::print(" |\n");
  }
  fmt::print(
      "\nThe admin port (`--admin-listen`) has `/healthz`, `/readyz`, `/metrics` and `/version` "
      "over "
      "plain HTTP.\n");
}

void print_configuration() {
  fmt::print(
      "\n## Configuration\n\n"
      "The keys of the file of `--config`, in YAML. Every key is optional. "
      "[configuration.md](configuration.md) says when to use them.\n\n"
      "| key | value | default | meaning |\n| --- | --- | --- | --- |\n");
  for (const server::ConfigKey& key : server::config_keys()) {
    fmt::print("| {} | {} | {} | {} |\n", code(key.name), cli::markdown_cell(key.type),
               code(key.default_value), cli::markdown_cell(key.description));
  }
}

std::string taints_of(const Platform& platform) {
  const bool has_builds = !tolerations_by_build_of(platform).empty();
  std::vector<std::string> taints;
  for (const PlatformTaint& each : platform.taints) {
    std::string taint = code(fmt::format("{}={}:NoSchedule", each.key, each.value));
    if (!each.build.empty()) {
      taint += fmt::format(" for build {}", each.build);
    } else if (has_builds) {
      taint += " for an unknown build";
    }
    taints.push_back(std::move(taint));
  }
  return taints.empty() ? "none" : fmt::format("{}", fmt::join(taints, ", "));
}

std::string labels_of(const Platform& platform) {
  std::vector<std::string> labels;
  for (const PlatformLabel& each : platform.labels) {
    std::string label = code(fmt::format("{}: {}", each.key, each.value));
    if (!each.build.empty()) label += fmt::format(" (build {})", each.build);
    labels.push_back(std::move(label));
  }
  return labels.empty() ? "none" : fmt::format("{}", fmt::join(labels, ", "));
}

void print_platforms() {
  fmt::print(
      "\n## Platforms\n\n"
      "The values of `platform` and `--platform`. The default is `{}`. On every platform "
      "`kubernetes.io/os` and `node.kubernetes.io/windows-build` are signals, too.\n\n"
      "| platform | nodes | taints that pods tolerate | labels that mean Windows | source "
      "|\n| --- | --- | --- | --- | --- |\n",
      default_platform().id);
  for (const Platform& each : platforms()) {
    fmt::print("| {} | {} | {} | {} | {} |\n", code(each.id), cli::markdown_cell(each.name),
               taints_of(each), labels_of(each), cli::markdown_cell(each.source));
  }
}

void print_metrics() {
  fmt::print(
      "\n## Metrics\n\n"
      "`/metrics` of the admin port, in the text format of Prometheus.\n\n"
      "| metric | type | labels | meaning |\n| --- | --- | --- | --- |\n");
  for (const server::MetricFamily& family : server::metric_families()) {
    std::vector<std::string> labels;
    for (const std::string_view label : family.labels) {
      if (!label.empty()) labels.push_back(code(label));
    }
    fmt::print("| {} | {} | {} | {} |\n", code(family.name), family.type, fmt::join(labels, ", "),
               cli::markdown_cell(family.help));
  }
}

void print_page() {
  fmt::print(
      "# Reference\n\nGenerated from the code by `make docs`. Do not edit. The rules are in "
      "[RULES.md](../policy/rules/RULES.md).\n\n"
      "- [Commands](#commands)\n- [Webhook paths](#webhook-paths)\n- "
      "[Configuration](#configuration)\n- [Platforms](#platforms)\n- [Metrics](#metrics)\n");
  print_commands();
  print_paths();
  print_configuration();
  print_platforms();
  print_metrics();
}

}  // namespace
}  // namespace winadmit

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "page";
  if (what == "page") {
    winadmit::print_page();
  } else if (what == "config-schema") {
    fmt::print("{}\n", winadmit::config_schema().dump(2));
  } else if (what == "platforms") {
    fmt::print("{}\n", winadmit::platform_literals().dump(2));
  } else {
    fmt::print(stderr, "usage: winadmit_reference [page|config-schema|platforms]\n");
    return 2;
  }
}
