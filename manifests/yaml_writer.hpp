// JSON to YAML.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace winadmit::manifests {

/// A document that both kubectl and YAML 1.2 read as the same value. It ends with a line feed.
/// Strings of several lines are written as blocks. Throws std::runtime_error for a string that is
/// not UTF-8.
std::string to_yaml(const nlohmann::ordered_json& document);

/// Several documents, separated by "---".
std::string to_yaml(const std::vector<nlohmann::ordered_json>& documents);

/// Whether a string is clear without quotes, in blocks and in brackets: names, images, paths,
/// base64.
bool is_plain_text(const std::string& text);

}  // namespace winadmit::manifests
