// The cases of tests/data/rules, whose README.md describes them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "policy/rules/version.hpp"
#include "tests/test_data.hpp"

namespace winadmit::test {

struct RuleCase {
  std::string rule;
  std::string name;
  std::string verdict;
  Version version = kNewestVersion;
  bool has_version = false;
  nlohmann::json pod;

  bool strict() const { return name.starts_with("strict-"); }
  bool has_finding() const { return verdict != "allow"; }

  /// "host-pid/deny.true@1.21"
  std::string label() const {
    return rule + '/' + verdict + '.' + name + (has_version ? '@' + to_string(version) : "");
  }
};

// NOLINTNEXTLINE(readability-identifier-naming): googletest names it
inline void PrintTo(const RuleCase& one, std::ostream* out) { *out << one.label(); }

/// Adds members to an object, and entries to a list, at every depth. Null is a value.
inline void merge(nlohmann::json& to, const nlohmann::json& from) {
  if (to.is_object() && from.is_object()) {
    for (const auto& [key, value] : from.items()) merge(to[key], value);
  } else if (to.is_array() && from.is_array()) {
    for (std::size_t i = 0; i < from.size(); ++i) merge(to[i], from[i]);
  } else {
    to = from;
  }
}

inline std::vector<RuleCase> rule_cases() {
  const nlohmann::json minimal = nlohmann::json::parse(read(data("minimal-pod.json")));
  std::vector<RuleCase> cases;
  for (const auto& entry : std::filesystem::directory_iterator(data("rules"))) {
    if (entry.path().extension() != ".json") continue;
    for (const nlohmann::json& each : nlohmann::json::parse(read(entry.path()))) {
      RuleCase& made = cases.emplace_back();
      made.rule = entry.path().stem().string();
      made.name = each.at("case");
      made.verdict = each.at("verdict");
      made.has_version = each.contains("release");
      if (made.has_version)
        made.version = parse_version(each["release"].get<std::string>()).value();
      if (each.size() != (made.has_version ? 4U : 3U)) {
        throw std::invalid_argument(made.label() + ": a member that no case has");
      }
      made.pod = minimal;
      merge(made.pod, each.at("pod"));
    }
  }
  std::ranges::sort(cases, {}, &RuleCase::label);
  return cases;
}

}  // namespace winadmit::test
