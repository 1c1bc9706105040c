// Patches that leave no empty mappings behind.
#pragma once

#include <nlohmann/json.hpp>

#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// The same patch, except that a mapping is removed as a whole if the patch removes all of its
/// members that mean something, and it means nothing without them, such as `securityContext: {}`.
/// `object` is what the patch is for.
Patch remove_emptied_parents(Patch patch, const nlohmann::json& object);

}  // namespace winadmit::cli
