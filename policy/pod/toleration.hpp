// Tolerations, with the semantics of Kubernetes.
#pragma once

#include <cstdint>
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

inline constexpr std::string_view kNoSchedule = "NoSchedule";
inline constexpr std::string_view kNoExecute = "NoExecute";
inline constexpr std::string_view kPreferNoSchedule = "PreferNoSchedule";

/// Whether the scheduler only avoids nodes with the taint, and uses them if there are no others.
inline bool is_only_avoided(const Toleration& taint) { return taint.effect == kPreferNoSchedule; }

/// A toleration of a pod. Borrows from the document.
struct PodToleration {
  std::string_view key;
  std::string_view op;
  std::string_view value;
  std::string_view effect;
  std::optional<JsonObject> given = {};  // nothing if it is not one of the pod

  /// Whether it has tolerationSeconds.
  bool has_seconds() const;
};

/// Reads the toleration at `path`. Wrong types are errors, and count as absent.
PodToleration read_toleration(JsonObject toleration, FieldPath& path, FieldErrors& errors);

/// Why the API server refuses a toleration, whatever the syntax of its key and value.
enum class TolerationFault : std::uint8_t {
  equal_without_key,
  seconds_without_no_execute,
  exists_with_value,
  unknown_operator,
  unknown_effect,
};

/// Calls visit(fault) for each, in the order of the API server (k8s.io/kubernetes
/// pkg/apis/core/validation, ValidateTolerations). Lt and Gt count as operators.
template <class Visit>
void for_each_fault(const PodToleration& each, Visit visit) {
  if (each.key.empty() && each.op != "Exists") visit(TolerationFault::equal_without_key);
  if (each.effect != kNoExecute && each.has_seconds())
    visit(TolerationFault::seconds_without_no_execute);
  if (each.op == "Exists") {
    if (!each.value.empty()) visit(TolerationFault::exists_with_value);
  } else if (!each.op.empty() && each.op != "Equal" && each.op != "Lt" && each.op != "Gt") {
    visit(TolerationFault::unknown_operator);
  }
  if (!each.effect.empty() && each.effect != kNoSchedule && each.effect != kPreferNoSchedule &&
      each.effect != kNoExecute) {
    visit(TolerationFault::unknown_effect);
  }
}

/// Whether a pod that has the toleration tolerates the taint by name: it has the key and the value
/// of the taint, or is the same as the toleration that is configured for it.
bool names_taint(const Toleration& toleration, const Toleration& taint);

/// By the value of the label node.kubernetes.io/windows-build.
using TolerationsByBuild = std::map<std::string, std::vector<Toleration>, std::less<>>;

/// The tolerations of a pod that the API server accepts. Borrows from the document.
class PodTolerations {
 public:
  PodTolerations() = default;
  /// Reads the list at `path`. Wrong types are errors and otherwise ignored, as is a toleration
  /// with a fault: it keeps the pod from no node, because there will be no such pod.
  PodTolerations(const std::optional<JsonArray>& tolerations, FieldPath& path, FieldErrors& errors);

  /// Borrows from the argument.
  void add(const Toleration& toleration);

  /// Whether one entry tolerates every taint that `wanted` is for. An empty operator means Equal,
  /// an empty effect every effect, and an empty key with Exists every taint (k8s.io/api
  /// core/v1/toleration.go, ToleratesTaint).
  bool tolerates(const Toleration& wanted) const;

  /// Whether one entry tolerates every taint by which the scheduler keeps pods away.
  bool tolerates_every_taint() const {
    return tolerates({.key = {}, .op = "Exists", .value = {}, .effect = std::string(kNoSchedule)});
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
  std::vector<PodToleration> entries_;
};

}  // namespace winadmit
