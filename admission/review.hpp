// The parts of an AdmissionReview that are read and written. k8s.io/api admission/v1 and v1beta1
// agree on all of them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/json.hpp"
#include "policy/judge/patch.hpp"

namespace winadmit::server {

/// A request. All members borrow from the parsed document.
struct Review {
  std::string_view api_version;  // "admission.k8s.io/v1" or "admission.k8s.io/v1beta1"
  std::string_view uid;
  std::string_view operation;  // CREATE, UPDATE, DELETE, CONNECT
  std::string_view kind;
  std::string_view group;  // of the kind; "" is the core group
  std::string_view subresource;
  std::string_view name;
  std::string_view name_space;
  bool dry_run = false;
  std::string_view user;
  std::optional<JsonArray> groups;  // of the user
  std::optional<JsonObject> object;
  std::optional<JsonObject> old_object;
};

/// The group of the kubelets (k8s.io/apiserver pkg/authentication/user, NodesGroup).
inline constexpr std::string_view kNodesGroup = "system:nodes";

struct AdmissionResponse {
  bool allowed = true;
  // The status of a refusal:
  int code = 200;
  std::string_view reason;  // a metav1.StatusReason: "Forbidden", "BadRequest"
  std::string message;

  std::vector<std::string> warnings;
  std::map<std::string, std::string> audit_annotations;
  Patch patch;
};

}  // namespace winadmit::server
