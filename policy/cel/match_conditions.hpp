// CEL that tells the API server which requests winadmit has nothing to say about, so that it need
// not ask. Made from what targeting reads and from the settings; the server decides, not this.
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

/// The release in which webhooks have matchConditions by default (KEP-3716: beta in 1.28).
inline constexpr Version kMatchConditionsVersion{1, 28};

/// An UPDATE changes what the policy reads; anything else always does.
MatchCondition changes_something();

/// A pod, or with `in_workloads` the pod template of any kind that holds one, gives a sign of
/// Windows - a signal or a hint - before the request or after it.
/// Every path is guarded: a CEL error under failurePolicy Fail denies without a call.
MatchCondition may_be_windows(const Settings& settings, bool in_workloads);

}  // namespace winadmit
