// The policies of a run of `winadmit check` or `winadmit fix`.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "cli/judge/added_scheduling.hpp"
#include "cli/judge/manifest_checker.hpp"
#include "cli/manifest_options.hpp"
#include "cli/project/project.hpp"

namespace winadmit::cli {

/// One ManifestChecker for each .winadmit.yaml with a policy, and one for all other files; each for
/// every default OS of namespaces.
class Checkers {
 public:
  /// `sets_os`: of the fixers, whatever a configuration says.
  Checkers(const ManifestOptions& options, ManifestChecker::Mutation mutation, bool sets_os = false)
      : options_(options), mutation_(mutation), sets_os_(sets_os) {}

  /// Of the files of a project, and of the namespaces with a default OS. Throws what
  /// PolicyOptions::load() throws; ProjectError if that is about the policy of the project.
  ManifestChecker& of(const Project& project, std::optional<Os> default_os = {});

  /// Of the input of this run.
  AddedScheduling& added_scheduling() { return added_scheduling_; }

  /// Whether a flag or a configuration says which taints the nodes have.
  bool has_chosen_tolerations(const Project& project) const;

  /// The configuration that of() uses.
  server::Config config_of(const Project& project) const;

 private:
  server::Config load(const Project& project) const;

  const ManifestOptions& options_;
  ManifestChecker::Mutation mutation_;
  bool sets_os_;
  AddedScheduling added_scheduling_;
  std::map<std::pair<const Project*, std::optional<Os>>, std::unique_ptr<ManifestChecker>>
      checkers_;
};

}  // namespace winadmit::cli
