// What the policy of .winadmit.yaml lets pass that is found without it.
#pragma once

#include <set>
#include <string>

#include "config/config.hpp"

namespace winadmit::cli {

/// The ids of the rules and of the advice that count less than by default, or do not count in one
/// namespace or in all.
std::set<std::string> turned_down_rules(const server::Config& policy);

}  // namespace winadmit::cli
