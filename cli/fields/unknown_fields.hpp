// The fields of a pod, or of a kind of Kubernetes that holds one, that the API does not have at
// their place: the API server refuses or ignores them. metadata and status are not read.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "policy/json/json.hpp"
#include "policy/pod/pod_kind.hpp"
#include "policy/rules/version.hpp"

namespace winadmit::cli {

struct UnknownField {
  std::string field = {};    // spec.containers[0].nodeSelector
  std::string pointer = {};  // the same as a JSON Pointer
  /// It would send the pod to nodes or make it a Windows pod.
  bool is_placement = false;
  /// In another release, the API has it.
  bool is_of_other_release = false;
  std::string reason = {};
  std::string instead = {};  // "" if no field is near
};

struct UnknownFields {
  static constexpr std::size_t kMaxKept = 100;

  std::vector<UnknownField> kept;
  std::size_t left_out = 0;
};

UnknownFields find_unknown_fields(JsonObject object, const PodKind& kind, Version kubernetes);

}  // namespace winadmit::cli
