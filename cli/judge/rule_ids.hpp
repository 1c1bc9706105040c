// The ids of rules and of advice, as users write them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace winadmit::cli {

/// All of them, each once, in the order of the tables.
const std::vector<std::string_view>& rule_ids();

bool is_rule_id(std::string_view word);

/// "; did you mean host-pid?", or "" if no id is near.
std::string suggest_rule(std::string_view word);

}  // namespace winadmit::cli
