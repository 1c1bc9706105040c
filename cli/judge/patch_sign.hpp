// Strategic merge patches, as kustomize has them, look like objects but are none.
#pragma once

#include <string>

#include "policy/pod/pod.hpp"

namespace winadmit::cli {

/// What shows that the object that holds the pod is a patch for another one: "it has no
/// containers". Empty for a complete object. Lists without a merge key, such as tolerations, would
/// replace those of the other object.
std::string find_patch_sign(const Pod& pod, JsonObject object);

}  // namespace winadmit::cli
