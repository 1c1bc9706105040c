// Writes an AdmissionReview with a response.
#pragma once

#include <fmt/format.h>

#include <span>

#include "admission/review.hpp"
#include "policy/judge/finding.hpp"

namespace winadmit::server {

/// Appends an AdmissionReview that answers `review`, in the same version and with the same uid.
/// `causes` are the findings that a refusal lists in status.details.
void write_review(fmt::memory_buffer& to, const Review& review, const AdmissionResponse& response,
                  std::span<const Finding> causes);

}  // namespace winadmit::server
