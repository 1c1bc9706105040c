// The options that select a policy, for every subcommand that uses one.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "server/config/config.hpp"

namespace winadmit::cli {

struct PolicyOptions {
  std::string config;
  std::string kubernetes_version;

  void add_to(CLI::App& command);

  /// Throws certs::Error if the file cannot be read, server::ConfigError if it is wrong or
  /// contradicts the flag.
  server::Config load() const;
};

}  // namespace winadmit::cli
