// What is said of a container in its own security context or in the pod's: the container's value
// goes before the pod's.
#pragma once

#include "policy/pod.hpp"

namespace winadmit {

/// What the windowsOptions of the pod and of its containers say, taken together.
struct WindowsOptions {
  bool any_set = false;       // any of them has a member; an empty object says nothing
  bool host_process = false;  // any of them has hostProcess: true
};

WindowsOptions find_windows_options(const Pod& pod);

/// The effective value of windowsOptions.hostProcess
/// (k8s.io/kubernetes pkg/securitycontext, DetermineEffectiveSecurityContext).
bool is_host_process(JsonObject spec, JsonObject container);

}  // namespace winadmit
