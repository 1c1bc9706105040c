// Looks many JSON Pointers up in one object.
#pragma once

#include <string_view>
#include <vector>

#include "policy/json/json.hpp"

namespace winadmit {

/// For each JSON Pointer (RFC 6901), whether the object has a value there, null included. The time
/// is linear in the object and the pointers. at_pointer() takes time in proportion to the index of
/// each list entry and to the members before each member.
std::vector<bool> has_values(JsonObject object, const std::vector<std::string_view>& pointers);

}  // namespace winadmit
