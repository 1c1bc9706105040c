// The decision on one review: the policy, applied to an operation, a path and its mode, with the
// exemptions and the old object.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "admission/bad_request.hpp"
#include "admission/exemptions.hpp"
#include "admission/review.hpp"
#include "admission/route.hpp"
#include "policy/policy.hpp"

namespace winadmit::server {

enum class Decision {
  skipped,  // not a pod or template, a request that cannot change one, or a mirror pod
  exempt,
  allowed,
  warned,
  patched,
  denied,
  malformed,
};

/// The names that logs and metrics use, by decision.
inline constexpr auto kDecisionNames = std::to_array<std::string_view>(
    {"skipped", "exempt", "allowed", "warned", "patched", "denied", "malformed"});
static_assert(kDecisionNames.size() == static_cast<std::size_t>(Decision::malformed) + 1);

constexpr std::string_view to_string(Decision decision) {
  return kDecisionNames[static_cast<std::size_t>(decision)];
}

struct Admission {
  AdmissionResponse response;
  Decision decision = Decision::allowed;
  Target target;
  Findings found;
  std::size_t accepted = 0;       // findings that the configuration or an annotation ignores
  std::string default_os_change;  // what the default OS would change, if it were not audited
  std::optional<BadRequest> bad_request;  // set if `decision` is malformed
};

/// Refuses what cannot be judged, with code 400.
Admission refuse_malformed(BadRequest bad_request);

/// Decides on a review: allows it, patches, warns or denies. `today` is in UTC, for exemptions that
/// end. Keeps up to `max_findings`, and counts the others. Throws nothing but std::bad_alloc.
Admission admit(const Review& review, const Route& route, const Policy& policy,
                const Exemptions& exempt, std::chrono::sys_days today,
                std::size_t max_findings = FindingCollector::kMaxKept);

}  // namespace winadmit::server
