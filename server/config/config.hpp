// The configuration file: YAML to settings. Checked as a whole: all errors at once, with their
// lines.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "policy/judge/settings.hpp"
#include "server/review/exemptions.hpp"

namespace winadmit::server {

struct Config {
  Settings policy;
  Exemptions exempt;
  bool sets_kubernetes_version = false;
};

/// All that is wrong with a configuration, a line each: "FILE:12: unknown key 'tolerationz'".
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws ConfigError. `name` stands for the file in messages.
Config parse_config(const std::string& yaml, const std::string& name);

/// The same from a file that must be readable.
Config load_config(const std::string& path);

}  // namespace winadmit::server
