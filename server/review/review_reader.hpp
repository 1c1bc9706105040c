// Bytes to an AdmissionReview.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>

#include "server/review/bad_request.hpp"
#include "server/review/review.hpp"

namespace winadmit::server {

/// A longer uid is none: the API server's have 36 bytes.
inline constexpr std::size_t kUidLimit = 256;

/// Either a review, or what is wrong; then api_version and uid are filled as far as they were read.
struct ParsedReview {
  Review review;
  std::optional<BadRequest> bad_request;
};

/// Parses a body in place: simdjson reads up to SIMDJSON_PADDING bytes beyond its end, so they must
/// be there. The parser owns what the review borrows, until it parses again.
ParsedReview parse_review(simdjson::dom::parser& parser, const char* body, std::size_t size);

}  // namespace winadmit::server
