// A response to the bytes of an AdmissionReview.
#pragma once

#include <fmt/format.h>

#include <span>

#include "policy/judge/finding.hpp"
#include "server/review/review.hpp"

namespace winadmit::server {

/// Appends the response in the version that was asked for, uid echoed. `causes`: of a refusal.
void write_review(fmt::memory_buffer& to, const Review& review, const AdmissionResponse& response,
                  std::span<const Finding> causes);

}  // namespace winadmit::server
