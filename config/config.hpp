// The configuration file: YAML to settings. The whole file is checked: an error lists everything
// that is wrong, with lines.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "admission/exemptions.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/os.hpp"
#include "policy/pod/platform.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::server {

struct Config {
  Settings policy;
  Exemptions exempt;
  /// As the user names it. The policy is that of the newest release known, if this is newer.
  std::optional<Version> kubernetes_version;
  Version named_release() const { return kubernetes_version.value_or(policy.kubernetes); }
  const Platform* platform = &default_platform();
  bool sets_platform = false;

  /// Of namespaces without the label; none, linux or windows. It is for the export of the webhooks:
  /// the server knows the OS by the path.
  Os default_os = Os::none;
  bool audits_default_os = false;  // what it would change is told, and nothing is changed
  Os enforced_default_os() const { return audits_default_os ? Os::none : default_os; }

  /// The keys that override a part of the platform.
  std::optional<std::vector<Toleration>> tolerations;
  std::optional<TolerationsByBuild> tolerations_by_build;
  WindowsLabels windows_labels;  // by label; the other labels of the platform stay

  std::string file = "null";  // as JSON text

  /// Sets the release, and in the policy the one whose rules hold.
  void set_kubernetes_version(Version named);

  /// Sets the platform, and in the policy what it says and no key overrides.
  void set_platform(const Platform& chosen);
};

/// Everything that is wrong with a configuration, one line each:
/// "FILE:12: unknown key 'tolerationz' in the configuration".
class ConfigError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Why placement cannot select Windows nodes by nodeSelectorKey. Empty if it can.
std::string node_selector_error(const Config& config);

class ConfigNode;
class ConfigReader;

/// The configuration in a mapping of a file. `what` names the mapping in errors, which are noted.
Config read_config(ConfigReader& reader, const ConfigNode& node, const std::string& what);

/// Throws ConfigError. `name` stands for the file in messages.
Config parse_config(const std::string& yaml, const std::string& name);

/// Throws ConfigError, and Error if the file cannot be read.
Config load_config(const std::string& path);

/// One key of the file, as the reference documentation lists it.
struct ConfigKey {
  std::string_view name;  // "exempt.users", "tolerations[].key"
  std::string_view type;
  std::string_view default_value;  // as YAML; empty if the key has none
  std::string_view description;

  /// The last part of the name.
  constexpr std::string_view key() const { return name.substr(name.rfind('.') + 1); }
};

/// All keys. The keys of a mapping follow the key that holds it.
std::vector<ConfigKey> config_keys();

}  // namespace winadmit::server
