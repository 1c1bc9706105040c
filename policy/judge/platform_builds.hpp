// What the settings say about the Windows builds of nodes.
#pragma once

#include <vector>

#include "policy/judge/settings.hpp"
#include "policy/pod/builds.hpp"
#include "policy/pod/toleration.hpp"

namespace winadmit {

using Builds = std::vector<const WindowsBuild*>;

/// Those that Kubernetes supports on nodes.
const Builds& supported_builds();

class PlatformBuilds {
 public:
  /// `settings` must outlive the object.
  explicit PlatformBuilds(const Settings& settings);

  Version kubernetes() const { return settings_.kubernetes; }

  /// Of the nodes that may get a pod that names no build: where taints tell the build, those that
  /// are configured, else all that Kubernetes supports.
  const Builds& all() const { return all_; }

  /// The same for a pod with these tolerations. One that tolerates other taints may run on nodes
  /// whose taints are not configured.
  const Builds& all_for(const PodTolerations& tolerations) const;

  /// Those that a pod identifies by the taints that it tolerates by name. A toleration that
  /// placement adds to a pod without a build names none, since a pod made from a template has it
  /// and the template does not.
  Builds named_by(const PodTolerations& tolerations) const;

 private:
  const Settings& settings_;
  std::vector<const Toleration*> known_;
  bool taints_identify_builds_;
  Builds all_;
};

}  // namespace winadmit
