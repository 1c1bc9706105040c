// Fields that fix and setOs do not remove, because only the author can replace what they ask for.
#pragma once

#include <string_view>

#include "policy/judge/patch.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit {

/// Whether the field of a rule asks, with this value, for something that Windows lacks, and that
/// nobody but the author can replace: resources with limits, but not {}. The API server
/// refuses each such field if spec.os.name is windows. False if the settings strip it.
bool needs_manual_fix(std::string_view rule, JsonValue value, const Context& where,
                      const Settings& settings);

/// Drops the removal of such fields from the patch for a pod in `object`.
void leave_to_author(Patch& patch, const Pod& pod, JsonObject object, const Settings& settings);

}  // namespace winadmit
