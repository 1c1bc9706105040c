// The decision on one review: what the policy says, in the light of operation, path, mode,
// exemptions and the object that was there before.
#pragma once

#include <optional>
#include <string_view>

#include "policy/policy.hpp"
#include "server/review/exemptions.hpp"
#include "server/review/review.hpp"
#include "server/review/route.hpp"

namespace winadmit::server {

/// What became of a request, for logs and metrics: a closed set.
enum class Outcome {
  skipped,  // nothing that could change a pod spec, or no pod at all
  exempt,
  allowed,
  warned,
  patched,
  denied,
  malformed,
};
inline constexpr std::size_t kOutcomeCount = 7;
std::string_view to_string(Outcome outcome);

struct Admission {
  Decision decision;
  Outcome outcome = Outcome::allowed;
  Target target;
  Found found;  // that was judged
  /// The object could not be read for sure; `decision` refuses it.
  std::optional<BadReview> bad;
};

/// What is answered where there is nothing to judge: 400, with what is wrong.
Admission malformed(BadReview bad);

/// Total, but for std::bad_alloc.
Admission admit(const Review& review, const Route& route, const Policy& policy,
                const Exemptions& exempt);

}  // namespace winadmit::server
