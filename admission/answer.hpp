// The answer to the body of one request, as the API server gets it.
#pragma once

#include <fmt/format.h>
#include <simdjson.h>

#include <string_view>

#include "admission/admit.hpp"

namespace winadmit::server {

/// A request that holds two objects of the largest size that etcd stores (1.5 MiB each by default)
/// is smaller, in bytes.
inline constexpr std::size_t kMaxReviewSize = std::size_t{7} * 1024 * 1024;

struct Answer {
  Review review;
  Admission admission;
  bool is_response = true;  // false: no AdmissionReview can say what admission.bad_request says
};

/// Reads a review, decides, and appends the AdmissionReview with the response to `to`, if there is
/// one. The body is parsed in place: SIMDJSON_PADDING bytes after its end must be readable. The
/// answer borrows from the parser until its next parse. Throws nothing but std::bad_alloc.
Answer answer_review(simdjson::dom::parser& parser, std::string_view body, const Route& route,
                     const Policy& policy, const Exemptions& exempt, fmt::memory_buffer& to);

}  // namespace winadmit::server
