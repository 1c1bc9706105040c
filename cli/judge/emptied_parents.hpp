// Patches that leave no empty mappings behind.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "policy/judge/patch.hpp"

namespace winadmit::cli {

/// Which mappings go with their members.
enum class RemoveEmptyParents {
  all,           // that mean nothing without members, such as `securityContext: {}`
  capabilities,  // which the API server refuses beside spec.os even if they are empty
  none,
};

/// The same patch, except that such a mapping is removed as a whole if the patch removes all of its
/// members that mean something. `object` is what the patch is for. `kept`: the pointers of fields
/// that stay, although they mean nothing.
Patch remove_emptied_parents(Patch patch, const nlohmann::json& object,
                             RemoveEmptyParents which = RemoveEmptyParents::all,
                             const std::set<std::string>& kept = {});

}  // namespace winadmit::cli
