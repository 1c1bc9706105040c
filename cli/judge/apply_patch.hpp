// A patch of the policy applied to the object of a manifest.
#pragma once

#include <nlohmann/json.hpp>

#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// The patch must be one for this object.
void apply_patch(const Patch& patch, nlohmann::json& object);

}  // namespace winadmit::cli
