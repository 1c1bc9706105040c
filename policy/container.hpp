// What is said of a container in its own security context or in the pod's: the container's value
// goes before the pod's.
#pragma once

#include <optional>

#include "policy/json.hpp"

namespace winadmit {

/// securityContext.windowsOptions of a pod spec or a container.
std::optional<JsonObject> windows_options(JsonObject holder);

/// The effective value of windowsOptions.hostProcess
/// (k8s.io/kubernetes pkg/securitycontext, DetermineEffectiveSecurityContext).
bool is_host_process(JsonObject spec, JsonObject container);

}  // namespace winadmit
