// YAML as kubectl turns it into JSON, and back.
#pragma once

#include <yaml-cpp/yaml.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

namespace winadmit::manifests {

/// What JSON cannot say, with the place of it.
class YamlError : public std::runtime_error {
 public:
  YamlError(const YAML::Mark& where, const std::string& what)
      : std::runtime_error(what), mark(where) {}
  YAML::Mark mark;
};

/// What manifests nest is far less.
inline constexpr int kMostDepth = 200;

/// By the rules of sigs.k8s.io/yaml, which kubectl and client-go read with: YAML 1.1's scalars
/// (`on` is true, 010 is eight), merge keys, keys as texts. Throws YamlError for a key that is
/// there twice, one that is no scalar, a text that is not UTF-8, a number that is not finite, and
/// for more than JSON of a manifest has: aliases that unfold to a million values, or nest without
/// end.
nlohmann::json to_json(const YAML::Node& document);

/// A document that reads as the value again, by these rules and by those of YAML 1.2; ends with a
/// line break. Texts of several lines are blocks, to be read as such.
std::string to_yaml(const nlohmann::ordered_json& document);

/// Several, with "---" between them.
std::string to_yaml(const std::vector<nlohmann::ordered_json>& documents);

}  // namespace winadmit::manifests
