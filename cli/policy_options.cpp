#include "cli/policy_options.hpp"

#include <vector>

#include "cli/options.hpp"

namespace winadmit::cli {

void PolicyOptions::add_to(CLI::App& command) {
  command.add_option("--config", config, "Configuration file (YAML)")->type_name("FILE");
  command
      .add_option("--kubernetes-version", kubernetes_version,
                  "Kubernetes release to judge pods by, " + to_string(kOldestVersion) + " to " +
                      to_string(kNewestVersion) + " (default: the newest)")
      ->type_name("VERSION");
  std::vector<std::string> ids;
  for (const Platform& each : platforms()) ids.emplace_back(each.id);
  limit_to(command.add_option("--platform", platform,
                              "Platform of the Windows nodes: it sets their taints and labels "
                              "(default: kep)"),
           ids);
}

server::Config PolicyOptions::load() const {
  server::Config loaded = config.empty() ? server::Config{} : server::load_config(config);
  set_platform(loaded);
  set_kubernetes_version(loaded);
  return loaded;
}

void PolicyOptions::set_platform(server::Config& loaded) const {
  if (platform.empty()) return;
  const Platform* const chosen = find_platform(platform);
  if (loaded.sets_platform && loaded.platform != chosen) {
    throw server::ConfigError("--platform " + platform + " contradicts platform in " + config);
  }
  loaded.set_platform(*chosen);
}

void PolicyOptions::set_kubernetes_version(server::Config& loaded) const {
  if (kubernetes_version.empty()) return;
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
}

}  // namespace winadmit::cli
