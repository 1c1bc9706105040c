// Taints and tolerations by Kubernetes' own semantics.
#pragma once

#include <optional>
#include <string>

#include "policy/json.hpp"

namespace winadmit {

/// A toleration as configuration gives it. With operator Equal it is for the one taint
/// key=value:effect, with Exists for every taint of the key.
struct Toleration {
  std::string key;
  std::string op = "Equal";
  std::string value;
  std::string effect;  // "" is every effect

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

/// Whether an entry of a pod's tolerations already tolerates every taint that `wanted` is for
/// (k8s.io/api core/v1/toleration.go, ToleratesTaint: an empty operator is Equal, an empty effect
/// is every effect, an empty key with Exists is every taint).
bool tolerates(JsonObject toleration, const Toleration& wanted);

/// Whether any entry does.
bool tolerates(const std::optional<JsonArray>& tolerations, const Toleration& wanted);

/// Whether an entry names the taint by its own key and value; a keyless Exists never does.
bool names_taint(const std::optional<JsonArray>& tolerations, const Toleration& taint);

}  // namespace winadmit
