// The options that choose a policy: the same for every subcommand that has one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "server/config/config.hpp"

namespace winadmit::cli {

struct PolicyOptions {
  std::string config;
  std::string kubernetes_version;

  void add_to(CLI::App& command);

  /// Throws server::ConfigError, also where flag and file contradict each other.
  server::Config load() const;
};

}  // namespace winadmit::cli
