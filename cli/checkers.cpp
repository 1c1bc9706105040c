#include "cli/checkers.hpp"

namespace winadmit::cli {

server::Config Checkers::load(const Project& project) const {
  const bool is_used = project.policy && options_.policy.config.empty();
  if (!is_used) return options_.policy.load();
  try {
    return options_.policy.load(project.policy);
  } catch (const server::ConfigError& error) {
    throw ProjectError(project.file, project.file + ": " + error.what());
  }
}

server::Config Checkers::config_of(const Project& project) const {
  server::Config config = load(project);
  // The annotation is in what is checked.
  if (options_.untrusted) config.exempt.by_annotation = false;
  if (sets_os_) require_pod_os("--set-os", config.policy.kubernetes);
  return config;
}

bool Checkers::has_chosen_tolerations(const Project& project) const {
  const server::Config config = load(project);
  return config.sets_platform || config.tolerations;
}

ManifestChecker& Checkers::of(const Project& project, std::optional<Os> default_os) {
  std::unique_ptr<ManifestChecker>& checker =
      checkers_[{project.policy ? &project : nullptr, default_os}];
  if (!checker) {
    const server::Config config = config_of(project);
    checker = std::make_unique<ManifestChecker>(
        config, default_os.value_or(options_.default_for_pods(config)), mutation_, sets_os_,
        &added_scheduling_);
  }
  return *checker;
}

}  // namespace winadmit::cli
