// Where rows about the pod and about containers say the same. Included by rules.cpp only.
#pragma once

#include <string_view>

namespace winadmit::table {

// What to do.
inline constexpr std::string_view kRemovedUnlessAdded =
    "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may have added it";
inline constexpr std::string_view kRemovedWithSpecOs =
    "set spec.os.name: windows, remove all Linux fields (else Pod Security restricted or an "
    "SCC asks for it)";

// Reasons.
inline constexpr std::string_view kHostProcessHasRights =
    "Kubernetes does not support it for HostProcess containers, which have access to the node";
inline constexpr std::string_view kHostProcessSeesAll =
    "HostProcess containers see all processes of the node without it";
inline constexpr std::string_view kHostProcessHasNoGmsa =
    "a HostProcess container runs as its runAsUserName, without the gMSA";
inline constexpr std::string_view kGmsaIsAlpha =
    "it is alpha in 1.15 and works only with the feature gate WindowsGMSA";

}  // namespace winadmit::table
