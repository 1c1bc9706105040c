// What is read of an AdmissionReview and what is answered to it (k8s.io/api admission/v1 and
// v1beta1, which agree in all that is read and written here).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"
#include "policy/judge/patch.hpp"

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

/// What is answered.
struct AdmissionResponse {
  bool allowed = true;
  int code = 200;           // of response.status, where not allowed
  std::string_view reason;  // "Forbidden", "BadRequest": metav1.StatusReason
  std::string message;
  std::vector<std::string> warnings;
  std::map<std::string, std::string> audit_annotations;
  Patch patch;
};

}  // namespace winadmit::server
