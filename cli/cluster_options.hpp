// The options that say which API server a subcommand calls.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "cluster/client_config.hpp"

namespace winadmit::cli {

struct ClusterOptions {
  bool in_cluster = false;
  std::string server;
  std::string token_file;
  std::string ca_file;

  void add_to(CLI::App& command);

  /// Throws std::invalid_argument unless one API server is named, with its credentials.
  cluster::ClientConfig load() const;
};

}  // namespace winadmit::cli
