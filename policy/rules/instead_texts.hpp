// What to do, where rows about the pod and about containers say the same. Included by rules.cpp
// only.
#pragma once

#include <string_view>

namespace winadmit::table {

inline constexpr std::string_view kRemovedUnlessAdded =
    "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may have added it";
inline constexpr std::string_view kRemovedWithSpecOs =
    "set spec.os.name: windows, remove all Linux fields (else Pod Security restricted or an "
    "SCC asks for it)";

}  // namespace winadmit::table
