// The rows of the tables that are about a pod field, and the releases in which they hold.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/judge/advice_kinds.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit::cli {

/// Whether the row is about the field of this normalized_path(), a field below it, or one above
/// that it judges as a whole.
bool concerns(const Rule& rule, std::string_view path);
bool concerns(const AdviceKind& advice, std::string_view path);

/// Whether the rule forbids the key of a map that the path ends with, such as
/// spec.containers[*].resources.limits[hugepages-2Mi].
bool forbids_key_of(const Rule& rule, std::string_view path);

/// "1.14-1.19, 1.24+": where rows with this id hold.
std::string releases_of_id(std::string_view id);

/// Where rows about some of these fields hold, and where they are allowed; "" if there are none.
std::string releases_about(const std::vector<std::string>& paths);

}  // namespace winadmit::cli
