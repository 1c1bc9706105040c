// Texts of rows in several groups. Included by rules.cpp only.
#pragma once

#include <string_view>

namespace winadmit::table {

// What to do.
inline constexpr std::string_view kRemoveOrExempt =
    "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add it";
inline constexpr std::string_view kRemoveUnlessRestricted =
    "remove it, unless Pod Security restricted requires it (from 1.25 not if spec.os.name is "
    "windows)";
inline constexpr std::string_view kRemoveItOrSpecOs =
    "remove it, unless Pod Security restricted requires it: then remove spec.os.name";
inline constexpr std::string_view kRunWithFewRights =
    "remove it and name an account with few rights in windowsOptions.runAsUserName";
inline constexpr std::string_view kSetSpecOs =
    "set spec.os.name: windows and remove Linux fields (else Pod Security restricted or an SCC "
    "asks for it)";

// Reasons.
inline constexpr std::string_view kNoSeccomp = "Windows has no seccomp and ignores it";
inline constexpr std::string_view kNoAppArmor = "Windows has no AppArmor and ignores it";
inline constexpr std::string_view kHostProcessHasRights =
    "Kubernetes does not support it for HostProcess containers, which have access to the node";
inline constexpr std::string_view kHostProcessSeesAll =
    "HostProcess containers see all processes of the node without it";
inline constexpr std::string_view kHostProcessHasNoGmsa =
    "a HostProcess container runs as its runAsUserName, without the gMSA";
inline constexpr std::string_view kGmsaIsAlpha =
    "it is alpha in 1.15 and works only with the feature gate WindowsGMSA";

}  // namespace winadmit::table
