// Whether an UPDATE changes a pod for the policy.
#pragma once

#include <optional>

#include "policy/json/json.hpp"
#include "policy/pod/pod.hpp"

namespace winadmit::server {

/// Whether both are absent, or equal in any order of their keys. Linear in their size.
bool is_same_content(const std::optional<JsonObject>& a, const std::optional<JsonObject>& b);

/// Compares what the policy can read, and what makes new pods; not the status or other metadata.
/// Linear in the size of the pods.
bool is_same_pod(const Pod& a, const Pod& b);

}  // namespace winadmit::server
