// Reads an AdmissionReview from the bytes of a request body.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <optional>

#include "admission/bad_request.hpp"
#include "admission/review.hpp"

namespace winadmit::server {

/// A longer uid counts as missing. The uids of the API server have 36 bytes.
inline constexpr std::size_t kMaxUidSize = 256;

/// If there is a `bad_request`, `review` has api_version and uid if they could be read.
struct ParsedReview {
  Review review;
  std::optional<BadRequest> bad_request;
};

/// The review borrows from the parser of `document`.
ParsedReview read_review(JsonValue document);

/// Parses a body in place: SIMDJSON_PADDING bytes after its end must be readable. The review
/// borrows from the parser until its next parse.
ParsedReview parse_review(simdjson::dom::parser& parser, std::string_view body);

}  // namespace winadmit::server
