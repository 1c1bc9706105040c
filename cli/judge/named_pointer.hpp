// Fields by the names of list entries, which stay when entries are added or move.
#pragma once

#include <string>

#include "policy/json/json.hpp"

namespace winadmit::cli {

/// A JSON Pointer into `root` in which each entry of a list that has a name has that in brackets
/// instead of its index: "/spec/containers/[web]/securityContext". The names are not unique.
std::string with_names_of_entries(JsonValue root, const std::string& pointer);

}  // namespace winadmit::cli
