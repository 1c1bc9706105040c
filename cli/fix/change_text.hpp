// What `winadmit fix` says of a change that it makes.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "manifests/location.hpp"
#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// "FILE:3:5: removed spec.hostPID (host-pid)". `object`: before the change.
std::string change_text(const manifests::Location& at, const nlohmann::json& object,
                        const PatchOperation& operation);

}  // namespace winadmit::cli
