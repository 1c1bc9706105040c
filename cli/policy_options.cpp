#include "cli/policy_options.hpp"

#include <iostream>
#include <vector>

#include "cli/options.hpp"
#include "config/release.hpp"

namespace winadmit::cli {

void PolicyOptions::add_to(CLI::App& command) {
  command.add_option("--config", config, "Configuration file (YAML)")->type_name("FILE");
  command
      .add_option("--kubernetes-version", kubernetes_version,
                  "Kubernetes release to judge pods by, " + to_string(kOldestVersion) +
                      " or later (default: the newest known)")
      ->type_name("VERSION");
  std::vector<std::string> ids;
  for (const Platform& each : platforms()) ids.emplace_back(each.id);
  limit_to(command.add_option("--platform", platform,
                              "Platform of the Windows nodes: it sets their taints and labels "
                              "(default: kep)"),
           ids);
}

server::Config PolicyOptions::load(const std::optional<server::Config>& project) const {
  server::Config loaded = load_quietly(project);
  const std::string note = server::newer_release_note(loaded.named_release());
  if (!note.empty() && told_.insert(note).second) std::cerr << "winadmit: " << note << '\n';
  return loaded;
}

server::Config PolicyOptions::load_quietly(const std::optional<server::Config>& project) const {
  server::Config loaded = config.empty() ? project.value_or(server::Config{}) : file();
  set_platform(loaded);
  set_kubernetes_version(loaded);
  const std::string error = server::node_selector_error(loaded);
  if (!error.empty()) throw server::ConfigError("nodeSelectorKey: " + error);
  return loaded;
}

const server::Config& PolicyOptions::file() const {
  if (!file_) file_ = server::load_config(config);
  return *file_;
}

void PolicyOptions::set_platform(server::Config& loaded) const {
  if (platform.empty()) return;
  const Platform* const chosen = find_platform(platform);
  if (!config.empty() && loaded.sets_platform && loaded.platform != chosen) {
    throw server::ConfigError("--platform " + platform + " contradicts platform in " + config +
                              "; remove one of them");
  }
  loaded.set_platform(*chosen);
  loaded.sets_platform = true;
}

void PolicyOptions::set_kubernetes_version(server::Config& loaded) const {
  if (kubernetes_version.empty()) return;
  const Version version = read_named_release("--kubernetes-version", kubernetes_version);
  if (!config.empty() && loaded.kubernetes_version.value_or(version) != version) {
    throw server::ConfigError("--kubernetes-version " + kubernetes_version +
                              " contradicts kubernetesVersion in " + config +
                              "; remove one of them");
  }
  loaded.set_kubernetes_version(version);
  if (loaded.policy.set_os) require_pod_os("setOs", version);
}

void require_pod_os(const std::string& what, Version version) {
  const std::string error = server::pod_os_error(what, version);
  if (!error.empty()) throw server::ConfigError(error);
}

void add_mode_options(CLI::App& command, const char* name, server::NamespaceModes& modes) {
  using enum server::Mode;
  add_choice(command, name, modes.default_mode, {enforce, warn, audit}, server::to_string,
             "Mode of namespaces without the label winadmit.dev/mode");
  command.add_flag("--opt-in", modes.opt_in,
                   "Select only namespaces with the label winadmit.dev/mode");
}

void add_exempt_namespaces(CLI::App& command, std::vector<std::string>& to) {
  command
      .add_option("--exempt-namespace", to,
                  "Never select this namespace, as those of exempt.namespaces; may be repeated")
      ->type_name("NAMESPACE")
      ->allow_extra_args(false);
}

}  // namespace winadmit::cli
