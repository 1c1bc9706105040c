// A second, simple implementation of the rule table: it looks up every path of every row in a
// document of nlohmann_json. Tests compare the validator with it.
#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "policy/judge/settings.hpp"
#include "policy/rules/predicate.hpp"

namespace winadmit::test {

struct NaiveFinding {
  std::string id;
  std::string field;  // spec.containers[0].securityContext.privileged
  Action action = Action::deny;
  nlohmann::json value;  // with sorted lists

  friend auto operator<=>(const NaiveFinding&, const NaiveFinding&) = default;
};

/// The findings for a pod that is taken to be for Windows, sorted. Wrong types have none.
std::vector<NaiveFinding> naive_findings(const nlohmann::json& pod, const Settings& settings);

/// Generates pods with fields that rules read, all of the expected types.
class PodGenerator {
 public:
  explicit PodGenerator(unsigned seed) : random_(seed) {}

  /// A Windows pod with some of the fields.
  nlohmann::json pod();
  /// The same pod with a few members set, changed or removed.
  nlohmann::json changed(const nlohmann::json& old);
  /// Any version, strict or not, with some actions changed.
  Settings settings();

  std::size_t below(std::size_t end) { return random_() % end; }
  /// A value that a field of that type may have; sometimes null.
  nlohmann::json value(JsonType type);

 private:
  void plant(nlohmann::json& pod);
  void plant_windows_options(nlohmann::json& pod);
  void plant_named_pipe(nlohmann::json& pod);

  std::mt19937 random_;
};

}  // namespace winadmit::test
