// The required node affinity of a pod in CEL: the twin of policy/pod/affinity.hpp.
#pragma once

#include <string>
#include <string_view>

namespace winadmit {

/// An expression on the pod spec `spec` and variables of pod_variables(): a list with a map for
/// each term that a node can match. `linux` and `windows`: whether nodes of the OS can. `builds`:
/// the Windows builds that it names.
std::string affinity_terms();

/// Where affinity_terms() differs from the server, as a clause.
inline constexpr std::string_view kAffinityTermsDiffer =
    "bounds of Gt and Lt with more than 18 digits match no node";

}  // namespace winadmit
