// CEL expressions that let the API server skip requests that winadmit would allow unchanged. They
// may let more requests through than necessary: the server decides about those.
#pragma once

#include <string>
#include <vector>

#include "policy/judge/settings.hpp"

namespace winadmit {

/// One entry of a webhook's matchConditions.
struct MatchCondition {
  std::string name;
  std::string expression;
};

/// The first release with matchConditions on by default (KEP-3716: beta in 1.28).
inline constexpr Version kMatchConditionsVersion{1, 28};

/// True for an UPDATE that changes the spec, an annotation that the policy reads or the OS label,
/// and for every other request.
MatchCondition changes_something();

/// Whose condition it is.
enum class Engine {
  /// True also for a pod with a hint of Windows, for advice; and for one with so many tolerations,
  /// containers or requirements, or with such long images, that the API server may end the
  /// evaluation of the condition by its cost: with failurePolicy Ignore, an error would admit it.
  webhook,
  policy,  // an admission policy, which gives no advice and costs more than the condition itself
};

/// True if the old or the new pod has a signal of Windows; with `in_workloads` also if
/// the pod template of a workload has. Every path is guarded by has(): with failurePolicy Fail a
/// CEL error denies the request.
MatchCondition may_be_windows(const Settings& settings, bool in_workloads,
                              Engine engine = Engine::webhook);

// For webhooks with a default OS, which applies to every pod without a signal.

/// False for a pod, or with `in_workloads` a pod template, whose nodeSelector has an OS label:
/// no default OS changes it.
MatchCondition selects_no_os(bool in_workloads);

/// True if the pod may be for Windows, or does not say that it is for Linux: so pods that say so
/// do not depend on the webhook.
MatchCondition may_be_windows_by_default(const Settings& settings);

// For admission policies, which have CEL's optional values.

/// True for an UPDATE that changes the spec, an annotation that the policy reads or the OS label of
/// the pod or of the pod template, and for every other request.
MatchCondition changes_pod_or_template();

}  // namespace winadmit
