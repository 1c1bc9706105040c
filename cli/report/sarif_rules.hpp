// The rules as SARIF describes them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace winadmit::cli {

/// A reportingDescriptor for each rule and each advice, by id.
nlohmann::ordered_json sarif_rules();

/// The place of a rule in that list, or -1.
int sarif_rule_index(const std::string& rule);

}  // namespace winadmit::cli
