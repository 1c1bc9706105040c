// What is read of an AdmissionReview and what is answered to it (k8s.io/api admission/v1 and
// v1beta1, which agree in all that is read and written here).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"
#include "policy/judge/place.hpp"

namespace winadmit::server {

/// What is read of a request. Everything is borrowed from the parsed document.
struct Review {
  std::string_view api_version;  // "admission.k8s.io/v1" or "admission.k8s.io/v1beta1"
  std::string_view uid;
  std::string_view operation;  // CREATE, UPDATE, DELETE, CONNECT
  std::string_view kind;
  std::string_view group;  // of the kind; "" is the core group
  std::string_view subresource;
  std::string_view name;
  std::string_view name_space;
  std::string_view user;
  std::optional<JsonArray> groups;
  std::optional<JsonObject> object;
  std::optional<JsonObject> old_object;
};

/// Why a body could not be judged: a closed set, for metrics.
enum class Fault {
  empty_body,
  not_json,
  not_a_review,
  unknown_version,
  no_request,
  no_uid,
  bad_request,  // the request's own members
  bad_object,   // the object in it
};
inline constexpr std::size_t kFaultCount = 8;
std::string_view to_string(Fault fault);

struct BadReview {
  Fault fault;
  std::string what;  // one line
};

/// What is answered.
struct Decision {
  bool allowed = true;
  int code = 200;           // of response.status, where not allowed
  std::string_view reason;  // "Forbidden", "BadRequest": metav1.StatusReason
  std::string message;
  std::vector<std::string> warnings;
  std::map<std::string, std::string> audit_annotations;
  Patch patch;
};

}  // namespace winadmit::server
