#include "cli/policy_options.hpp"

namespace winadmit::cli {

void PolicyOptions::add_to(CLI::App& command) {
  command.add_option("--config", config, "Configuration file (YAML)")->type_name("FILE");
  command
      .add_option("--kubernetes-version", kubernetes_version,
                  "Kubernetes release to judge pods by, " + to_string(kOldestVersion) + " to " +
                      to_string(kNewestVersion) + " (default: the newest)")
      ->type_name("VERSION");
}

server::Config PolicyOptions::load() const {
  server::Config loaded = config.empty() ? server::Config{} : server::load_config(config);
  if (kubernetes_version.empty()) return loaded;
  const auto version = parse_version(kubernetes_version);
  if (!version || *version < kOldestVersion || *version > kNewestVersion) {
    throw server::ConfigError("--kubernetes-version must be " + to_string(kOldestVersion) + " to " +
                              to_string(kNewestVersion) + ", not '" + kubernetes_version + "'");
  }
  if (loaded.sets_kubernetes_version && loaded.policy.kubernetes != *version) {
    throw server::ConfigError("--kubernetes-version " + kubernetes_version +
                              " contradicts kubernetesVersion in " + config);
  }
  loaded.policy.kubernetes = *version;
  if (loaded.policy.set_os && *version < kPodOsVersion) {
    throw server::ConfigError("setOs needs Kubernetes " + to_string(kPodOsVersion) +
                              " or later, which has spec.os");
  }
  return loaded;
}

}  // namespace winadmit::cli
