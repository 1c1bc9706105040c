// Strategic merge patches, as kustomize has them, look like objects but are none.
#pragma once

#include <string>

#include "policy/pod/pod.hpp"

namespace winadmit::cli {

/// What shows that the object that holds the pod is a patch for another one: "it has no
/// containers". Empty for a complete object. Lists without a merge key, such as tolerations, would
/// replace those of the other object.
std::string find_patch_sign(const Pod& pod, JsonObject object);

/// Whether the object has no pod spec, as a patch that sets the replicas of a Deployment. Nothing
/// of it can be judged. If it is no patch, the API server refuses it.
bool is_without_pod(const PodKind& kind, JsonObject object);

}  // namespace winadmit::cli
