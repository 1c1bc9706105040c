// The required node affinity of a pod in CEL: the twin of policy/pod/affinity.hpp.
#pragma once

#include <string>

#include "policy/judge/settings.hpp"

namespace winadmit {

/// Labels of Windows nodes: {"KEY":{"VALUE":"BUILD"}}.
std::string labels_literal(const WindowsLabels& labels);

/// An expression on the pod spec `spec`: a list with a map for each term that a node can match.
/// `linux` and `windows`: whether nodes of the OS can. `builds`: the Windows builds that it names.
/// `otherArch`: no node of amd64 can.
std::string affinity_terms(const Settings& settings);

/// Where affinity_terms() differs from the server, as a clause.
inline constexpr std::string_view kAffinityTermsDiffer =
    "bounds of Gt and Lt with more than 18 digits match no node";

}  // namespace winadmit
