// Placement in CEL: the twin of policy/judge/placement.hpp.
#pragma once

#include <string>
#include <vector>

#include "export/cel/cel_text.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// The variables of placement_patch(), on pod_variables(). As there, JSON literals have what the
/// platform and the configuration set: knownTolerations, tolerationsByBuild and buildTaints.
std::vector<CelVariable> placement_variables(const Settings& settings, Os default_os);

/// The JSON Patch of a new pod, of an UPDATE of a pod that loses its placement or changes its
/// build, and of the template of a DaemonSet: an expression that is empty if nothing is missing.
std::string placement_patch(const Settings& settings);

}  // namespace winadmit
