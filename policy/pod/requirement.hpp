// Requirements of a node selector term, and the label values that meet all those on one key.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"

namespace winadmit {

/// One entry of matchExpressions or matchFields (k8s.io/api core/v1, NodeSelectorRequirement).
struct Requirement {
  std::uint64_t key_hash = 0;  // a label and a field of the same name differ
  std::optional<std::string_view> key;
  std::optional<std::string_view> op;
  std::optional<JsonArray> values;

  bool is(std::string_view wanted) const { return op == wanted; }
  /// Visits the values that are strings.
  template <class Visit>
  void for_each_value(Visit visit) const {
    if (!values) return;
    for (const JsonValue entry : *values) {
      std::string_view text;
      if (entry.get(text) == simdjson::SUCCESS) visit(text);
    }
  }
};

/// The values of a key that meet several requirements.
struct AllowedValues {
  bool is_satisfiable = true;
  /// The values that every `In` lists and that meet the other requirements; empty without an `In`.
  std::vector<std::string_view> values;
};

/// Finds the values that meet all `requirements`, which must be on the same key. Takes time linear
/// in the number of their values (k8s.io/apimachinery pkg/labels, Requirement.Matches).
AllowedValues find_allowed_values(std::span<const Requirement> requirements);

}  // namespace winadmit
