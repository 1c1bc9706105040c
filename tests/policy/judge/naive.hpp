// The rule table once more, slow and simple: every row's paths, written out, looked up in a
// document of nlohmann_json. What the engine says is held against it.
#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "policy/judge/settings.hpp"

namespace winadmit::test {

struct NaiveFinding {
  std::string id;
  std::string field;  // spec.containers[0].securityContext.privileged
  Action action = Action::deny;
  nlohmann::json value;  // lists in order

  friend auto operator<=>(const NaiveFinding&, const NaiveFinding&) = default;
};

/// What the table says of a pod that is taken to be for Windows, sorted. Of wrong types it says
/// nothing.
std::vector<NaiveFinding> naive_findings(const nlohmann::json& pod, const Settings& settings);

/// Pods of what rules read, of right types, by a fixed seed.
class PodGenerator {
 public:
  explicit PodGenerator(unsigned seed) : random_(seed) {}

  /// A Windows pod with some of it.
  nlohmann::json pod();
  /// The same pod with a few members set, changed or removed.
  nlohmann::json changed(nlohmann::json pod);
  /// Some version, strict or not, some actions changed.
  Settings settings();

  std::size_t below(std::size_t end) { return random_() % end; }
  /// A value that a field of that type may have; null at times.
  nlohmann::json value(JsonType type);

 private:
  void plant(nlohmann::json& pod);
  void plant_windows_options(nlohmann::json& pod);

  std::mt19937 random_;
};

}  // namespace winadmit::test
