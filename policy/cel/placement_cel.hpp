// Placement in CEL: the twin of policy/judge/placement.hpp.
#pragma once

#include <string>
#include <vector>

#include "policy/cel/cel_text.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// The variable `wantedTolerations`, on pod_variables(): a list of the tolerations that the pod and
/// the old one are to have if they are for Windows.
CelVariable wanted_tolerations(const Settings& settings);

/// The variable `missing`, on that and pod_variables() with the same default OS: a list of what the
/// pod and the old one lack, as maps with `selector` (a boolean) and `tolerations` (a list).
CelVariable missing_placement(const Settings& settings, Os default_os = Os::none);

/// Whether the controller of the pod is a DaemonSet, which has chosen its node.
CelVariable is_owned_by_daemon_set();

/// The variables of placement_patch(), on pod_variables().
std::vector<CelVariable> placement_variables(const Settings& settings, Os default_os);

/// The JSON Patch of a new pod, of an UPDATE of a pod that loses its placement or changes its
/// build, and of the template of a DaemonSet: an expression that is empty if nothing is missing.
std::string placement_patch(const Settings& settings);

}  // namespace winadmit
