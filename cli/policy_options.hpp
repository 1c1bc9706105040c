// The options that select a policy, for every subcommand that uses one.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "config/config.hpp"
#include "export/namespace_labels.hpp"

namespace winadmit::cli {

struct PolicyOptions {
  std::string config;
  std::string kubernetes_version;
  std::string platform;

  void add_to(CLI::App& command);

  /// `project`: used unless there is a file; flags override it. Throws Error if the file cannot be
  /// read, server::ConfigError if it is wrong or contradicts a flag, std::invalid_argument for no
  /// release. Tells once on standard error of a release that is newer than the newest known.
  server::Config load(const std::optional<server::Config>& project = {}) const;

  /// The same, without a word.
  server::Config load_quietly(const std::optional<server::Config>& project = {}) const;

 private:
  /// Reads the file once: it may be a pipe.
  const server::Config& file() const;
  void set_platform(server::Config& loaded) const;
  void set_kubernetes_version(server::Config& loaded) const;

  mutable std::optional<server::Config> file_;
  mutable std::set<std::string> told_;
};

/// Adds the options that say which namespaces an installation selects. `name`: of the flag for the
/// mode.
void add_mode_options(CLI::App& command, const char* name, server::NamespaceModes& modes);

/// Adds --exempt-namespace.
void add_exempt_namespaces(CLI::App& command, std::vector<std::string>& to);

/// Throws server::ConfigError if a release has no spec.os, which `what` sets.
void require_pod_os(const std::string& what, Version version);

}  // namespace winadmit::cli
