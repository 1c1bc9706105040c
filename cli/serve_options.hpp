// The options of `winadmit serve`.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "cli/policy_options.hpp"
#include "server/server.hpp"

namespace winadmit::cli {

struct ServeOptions {
  PolicyOptions policy;
  server::Options server;  // load() replaces listen, admin_listen, drain_delay and config
  std::optional<std::string> listen;
  std::optional<std::string> admin_listen;
  std::optional<std::chrono::milliseconds> drain_delay;
  std::string log_level = "info";
  std::string log_format;  // empty: text with --dev, otherwise json

  void add_to(CLI::App& command);

  /// What the server is started with. Throws as PolicyOptions::load() does, and
  /// std::invalid_argument where flags contradict each other.
  server::Options load() const;

  bool logs_text() const {
    return log_format.empty() ? server.certificate.is_self_signed : log_format == "text";
  }
};

}  // namespace winadmit::cli
