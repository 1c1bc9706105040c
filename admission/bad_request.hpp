// Why a request could not be judged.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace winadmit::server {

enum class BadRequestReason {
  // The body:
  empty_body,
  not_json,
  not_a_review,
  unknown_version,
  no_request,
  no_uid,
  bad_request,  // a member of the AdmissionRequest
  bad_object,   // the object in it
  // HTTP and the connection:
  not_found,
  method,
  content_type,
  too_large,
  header_too_large,
  bad_http,
  busy,
  timeout,
  aborted,   // the connection ended within the request
  internal,  // an exception in winadmit
};

/// The names that metrics use, by reason.
inline constexpr auto kBadRequestReasonNames = std::to_array<std::string_view>(
    {"empty_body", "not_json", "not_a_review", "unknown_version", "no_request", "no_uid",
     "bad_request", "bad_object", "not_found", "method", "content_type", "too_large",
     "header_too_large", "bad_http", "busy", "timeout", "aborted", "internal"});
static_assert(kBadRequestReasonNames.size() ==
              static_cast<std::size_t>(BadRequestReason::internal) + 1);

struct BadRequest {
  BadRequestReason reason;
  std::string message;  // one line
};

}  // namespace winadmit::server
