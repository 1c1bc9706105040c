// What a pod lacks to be scheduled to nodes of its operating system.
#pragma once

#include <string_view>
#include <vector>

#include "policy/judge/patch.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"
#include "policy/pod/toleration.hpp"

namespace winadmit {

/// `tolerations` are borrowed from the settings.
struct MissingPlacement {
  bool selector = false;
  std::vector<const Toleration*> tolerations;
  explicit operator bool() const { return selector || !tolerations.empty(); }
};

/// Whether placement adds the toleration to a pod without a build.
bool is_default_toleration(const Toleration& taint, const Settings& settings);

/// Every toleration that placement may add, in the order in which it adds them: the default ones,
/// then those of each build. Borrowed from the settings.
std::vector<const Toleration*> known_tolerations(const Settings& settings);

// A pod may name its Windows build by a taint that it tolerates by name.

/// The taints of the builds that are not those of the default tolerations. A pod that tolerates one
/// by name was written for a build, although it may not be clear for which. Borrowed from the
/// settings.
std::vector<const Toleration*> build_taints(const Settings& settings);

/// Whether a pod tolerates one of build_taints() by name.
bool tolerates_build_taint(const PodTolerations& tolerations, const Settings& settings);

/// Whether a pod that tolerates the taint of `set` by name is for the build of `set`: no other set
/// has the taint.
bool identifies_build(const Toleration& taint, const std::vector<Toleration>& set,
                      const Settings& settings);

/// Whether a pod tolerates a taint by name that identifies the build of `set`.
bool tolerates_build(const PodTolerations& tolerations, const std::vector<Toleration>& set,
                     const Settings& settings);

/// Whether placement may add a node selector. False for a pod whose node is already chosen: a pod
/// of a DaemonSet, and a pod that names its node and has its OS by default only, such as that of
/// `kubectl debug node/NAME`. That node may have another OS, and its kubelet would refuse the pod.
bool may_get_selector(const Pod& pod, const Target& target);

/// What a new pod lacks. Empty unless the pod is for Windows, or for Linux where that is the
/// default OS.
MissingPlacement find_missing_placement(const Pod& pod, const Target& target,
                                        const Settings& settings);

/// What an UPDATE of a pod lacks. A pod may become one for another build by its images and, with
/// scheduling gates, by its selectors; or one for Windows. Every other pod lacks what placement
/// added to the old pod: a client that sends its own manifest again leaves that out, and the API
/// server refuses to remove it.
MissingPlacement find_missing_placement_of_update(const Pod& pod, const Target& target,
                                                  const Pod& old, const Target& old_target,
                                                  const Settings& settings);

/// For the template of a Windows DaemonSet that names no build: the taints of the configured builds
/// that its pods do not tolerate. Borrowed from the settings.
std::vector<const Toleration*> find_missed_taints(const Pod& pod, const Target& target,
                                                  const Settings& settings);

/// The operations that add what is missing.
Patch make_placement_patch(const Pod& pod, const Target& target, const Settings& settings,
                           const MissingPlacement& missing);

/// The same for what find_missing_placement() returns.
Patch make_placement_patch(const Pod& pod, const Target& target, const Settings& settings);

}  // namespace winadmit
