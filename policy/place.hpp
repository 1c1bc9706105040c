// What a pod lacks to be scheduled to its operating system, as the smallest JSON Patch.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "policy/finding.hpp"
#include "policy/pod.hpp"
#include "policy/settings.hpp"
#include "policy/target.hpp"

namespace winadmit {

/// One operation of RFC 6902.
struct PatchOperation {
  std::string op;  // "add" or "remove"
  std::string path;
  nlohmann::ordered_json value;  // of "add"
};
using Patch = std::vector<PatchOperation>;

/// What may be added.
enum class PlaceWhat {
  everything,
  tolerations,  // to a pod whose node was picked (DaemonSet) or whose spec is fixed (UPDATE)
};

/// The operations that place a pod on nodes of target.os. Empty for a pod that is placed already,
/// so a second pass patches nothing; empty for a target that is neither Windows nor (by the path's
/// default) Linux. Every operation is an `add` of what is not there.
Patch place(const Pod& pod, const Target& target, const Settings& settings, PlaceWhat what);

/// The operations that remove the fields of these findings.
Patch strip(const std::vector<Finding>& findings);

/// Of the tolerations that a pod should have - its build's, else the default ones - those that it
/// lacks. They are the settings' own.
std::vector<const Toleration*> missing_tolerations(const PodTolerations& has, const Target& target,
                                                   const Settings& settings);

}  // namespace winadmit
