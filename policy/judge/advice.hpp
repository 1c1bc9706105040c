// What is worth saying of a pod though no rule forbids it. Advice warns unless configuration
// denies.
#pragma once

#include <span>
#include <string_view>

#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

/// A kind of advice, for documentation; the conditions are in advice.cpp.
struct Advice {
  std::string_view id;
  std::string_view when;
  std::string_view text;
  std::string_view source;
};

inline constexpr std::string_view kAdviceHint = "advice-os-hint";
inline constexpr std::string_view kAdviceUnplaced = "advice-unplaced";
inline constexpr std::string_view kAdviceWindowsOptions = "advice-windows-options";
inline constexpr std::string_view kAdviceImageBuild = "advice-image-build";
inline constexpr std::string_view kAdviceLinuxSidecar = "advice-linux-sidecar";

/// A pod whose scheduling signals disagree can run nowhere. Not advice: it is refused.
inline constexpr std::string_view kOsConflict = "os-conflict";

std::span<const Advice> advices();

/// Tells `findings` everything that there is to say of a pod with this target. `placed_by_us`:
/// whether winadmit's mutating side places what holds this pod (workload templates other than a
/// DaemonSet's are not placed, their pods are).
void advise(const Pod& pod, const Target& target, const Settings& settings, bool placed_by_us,
            FindingSink& findings);

}  // namespace winadmit
