// How `winadmit fix` sets spec.os.name.
#pragma once

#include <string>

#include "policy/policy.hpp"

namespace winadmit::cli {

/// The first field that the API server would refuse beside spec.os.name: windows, and that fix
/// leaves: "spec.hostPID". Empty if there is none.
std::string find_obstacle_to_spec_os(const Pod& pod, const Policy& policy);

/// Sets spec.os.name, and removes what the API server would refuse beside it.
Patch make_spec_os_patch(const Pod& pod, const Policy& policy);

}  // namespace winadmit::cli
