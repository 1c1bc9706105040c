// The configuration file: YAML to settings. Checked as a whole: all errors at once, with their
// lines.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "policy/settings.hpp"

namespace winadmit::server {

/// Who and what is not judged at all.
struct Exemptions {
  std::vector<std::string> namespaces;
  std::vector<std::string> users;
  std::vector<std::string> groups;
  std::vector<std::string> runtime_classes;
};

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
