// Requirements of a node selector term, and whether those on one key can hold together.
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
  std::uint64_t key_hash = 0;  // of the key; labels and fields differ
  std::optional<std::string_view> key;
  std::optional<std::string_view> op;
  std::optional<JsonArray> values;

  bool is(std::string_view wanted) const { return op == wanted; }
  /// Visits the values that are strings.
  template <class Visit>
  void each_value(Visit visit) const {
    if (!values) return;
    for (const JsonValue entry : *values) {
      std::string_view text;
      if (entry.get(text) == simdjson::SUCCESS) visit(text);
    }
  }
};

/// What requirements on one key leave.
struct Left {
  bool anything = true;  // false: they contradict each other
  /// The values that `In` requirements leave; empty where there is none.
  std::vector<std::string_view> values;
};

/// Linear in the values (k8s.io/apimachinery pkg/labels, Requirement.Matches).
Left what_is_left(std::span<const Requirement> of_one_key);

}  // namespace winadmit
