// A patch of the policy applied to the object of a manifest.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// The patch must be one for this object.
void apply_patch(const Patch& patch, nlohmann::json& object);

/// The same in a text that json::dump() wrote; `object` is the JSON Pointer of the object in it.
/// Returns nothing for a patch that does more than add members and entries, and where the object
/// has such a member already.
std::optional<std::string> apply_patch_to_text(const Patch& patch, std::string_view object,
                                               std::string text);

}  // namespace winadmit::cli
