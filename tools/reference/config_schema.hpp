// What the chart needs to know of the configuration: the JSON Schema of the file, and the labels
// and taints of the platforms. deploy/generate.sh puts both into the chart.
#pragma once

#include <nlohmann/json.hpp>

namespace winadmit {

/// A schema for the configuration file, from the table of its keys (draft 7, which Helm reads).
/// What the schema allows may still be refused by the server: it does not know which rules can be
/// stripped, for example. Throws std::logic_error if the type of a key has no schema.
nlohmann::ordered_json config_schema();

/// {"PLATFORM": {"windowsLabels": {"LABEL": ["VALUE"]}, "taints": {"KEY": ["VALUE"]},
/// "taintsByBuild": {...}}}, with sorted values, as in the literals of the matchConditions.
nlohmann::ordered_json platform_literals();

}  // namespace winadmit
