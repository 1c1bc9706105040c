// Taints and tolerations by Kubernetes' own semantics.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"

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

/// A pod's tolerations, read once and asked often. Borrows from the document.
class PodTolerations {
 public:
  PodTolerations() = default;
  /// Reads the list at `path`. Entries that are no objects, and members that are no strings, say
  /// nothing, and are noted.
  PodTolerations(const std::optional<JsonArray>& tolerations, FieldPath& path, FieldErrors& errors);

  /// Whether an entry already tolerates every taint that `wanted` is for
  /// (k8s.io/api core/v1/toleration.go, ToleratesTaint: an empty operator is Equal, an empty effect
  /// is every effect, an empty key with Exists is every taint).
  bool tolerates(const Toleration& wanted) const;

  /// Whether an entry names the taint by its own key and value; a keyless Exists never does.
  bool tolerates_explicitly(const Toleration& taint) const;
  bool tolerates_any_explicitly(const std::vector<Toleration>& taints) const;

 private:
  struct Entry {
    std::string_view key;
    std::string_view op;
    std::string_view value;
    std::string_view effect;
  };
  std::vector<Entry> entries_;
};

}  // namespace winadmit
