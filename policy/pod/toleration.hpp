// Tolerations, with the semantics of Kubernetes.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"

namespace winadmit {

/// A toleration from the configuration. With the operator Equal it is for the taint
/// key=value:effect, with Exists for every taint with the key.
struct Toleration {
  std::string key;
  std::string op = "Equal";
  std::string value;
  std::string effect;  // "" is every effect

  friend bool operator==(const Toleration&, const Toleration&) = default;
};

inline constexpr std::string_view kNoExecute = "NoExecute";
inline constexpr std::string_view kPreferNoSchedule = "PreferNoSchedule";

/// Whether the scheduler only avoids nodes with the taint, and uses them if there are no others.
inline bool is_only_avoided(const Toleration& taint) { return taint.effect == kPreferNoSchedule; }

/// Whether a pod that has the toleration tolerates the taint by name: it has the key and the value
/// of the taint, or is the same as the toleration that is configured for it.
bool names_taint(const Toleration& toleration, const Toleration& taint);

/// By the value of the label node.kubernetes.io/windows-build.
using TolerationsByBuild = std::map<std::string, std::vector<Toleration>, std::less<>>;

/// The tolerations of a pod. Borrows from the document.
class PodTolerations {
 public:
  PodTolerations() = default;
  /// Reads the list at `path`. Wrong types are errors and otherwise ignored.
  PodTolerations(const std::optional<JsonArray>& tolerations, FieldPath& path, FieldErrors& errors);

  /// Borrows from the argument.
  void add(const Toleration& toleration);

  /// Whether one entry tolerates every taint that `wanted` is for. An empty operator means Equal,
  /// an empty effect every effect, and an empty key with Exists every taint (k8s.io/api
  /// core/v1/toleration.go, ToleratesTaint).
  bool tolerates(const Toleration& wanted) const;

  /// Whether one entry tolerates every taint by which the scheduler keeps pods away.
  bool tolerates_every_taint() const {
    return tolerates({.key = {}, .op = "Exists", .value = {}, .effect = "NoSchedule"});
  }

  /// Whether an entry is the same, whatever its tolerationSeconds.
  bool contains(const Toleration& toleration) const;

  /// Whether an entry tolerates the taint by name: it has the key and the value of the taint.
  /// Exists does not count.
  bool tolerates_by_name(const Toleration& taint) const;
  bool tolerates_any_by_name(const std::vector<Toleration>& taints) const;

  /// Whether an entry tolerates a taint that is not `known`, with the key of one that is.
  bool tolerates_others(const std::vector<const Toleration*>& known) const;

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
