// Findings that no rule about a single field can make. Advice warns, unless configuration denies.
#pragma once

#include <span>
#include <string_view>

#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/target.hpp"

namespace winadmit {

/// A kind of advice; advice.cpp has the condition, and the reason with the names from the pod.
struct AdviceKind {
  std::string_view id;
  Action action;             // by default
  std::string_view when;     // what it is about, as a noun phrase; documented only
  std::string_view instead;  // what to do, in the imperative: in messages and documents
  std::string_view source;
};

inline constexpr std::string_view kAdviceHint = "advice-os-hint";
inline constexpr std::string_view kAdviceUnplaced = "advice-unplaced";
inline constexpr std::string_view kAdviceWindowsOptions = "advice-windows-options";
inline constexpr std::string_view kAdviceImageBuild = "advice-image-build";
inline constexpr std::string_view kAdviceLinuxSidecar = "advice-linux-sidecar";

/// Not advice but a denial: a pod with contradicting scheduling signals can run on no node.
inline constexpr std::string_view kOsConflict = "os-conflict";

std::span<const AdviceKind> advice_kinds();

/// Reports all advice for a pod with this target. `placed_by_us`: the mutating webhook places the
/// pod or template.
void advise(const Pod& pod, const Target& target, const Settings& settings, bool placed_by_us,
            FindingSink& findings);

}  // namespace winadmit
