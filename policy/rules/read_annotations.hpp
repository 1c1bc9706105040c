// Which annotations of a pod the policy reads. An UPDATE that changes others only is not judged.
#pragma once

#include <string_view>
#include <vector>

namespace winadmit {

/// The keys, each with at most one `*` in it: those of the rules for any release of Kubernetes, and
/// those that pods and predicates read by name.
const std::vector<std::string_view>& judged_annotation_keys();

/// Whether it is one of them.
bool is_judged_annotation(std::string_view key);

}  // namespace winadmit
