// YAML to JSON as kubectl converts it, and back.
#pragma once

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace winadmit::manifests {

/// YAML that has no JSON form. `mark` is its location.
class YamlError : public std::runtime_error {
 public:
  YamlError(const YAML::Mark& where, const std::string& what)
      : std::runtime_error(what), mark(where) {}
  YAML::Mark mark;
};

/// The most levels of mappings and lists in each other that are accepted.
inline constexpr int kMaxDepth = 200;

/// Follows sigs.k8s.io/yaml, which kubectl and client-go use: scalars of YAML 1.1 (`on` is true,
/// 010 is eight), merge keys, keys as strings. Throws YamlError for duplicate keys, keys that are
/// not scalars, strings that are not UTF-8, numbers that are not finite, and for more than a
/// million values or kMaxDepth levels after aliases are expanded.
nlohmann::json to_json(const YAML::Node& document);

/// A document that both these rules and YAML 1.2 read as the same value. It ends with a line feed.
/// Strings of several lines are written as blocks.
std::string to_yaml(const nlohmann::ordered_json& document);

/// Several documents, separated by "---".
std::string to_yaml(const std::vector<nlohmann::ordered_json>& documents);

}  // namespace winadmit::manifests
