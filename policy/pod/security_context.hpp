// The fields of a security context that the policy reads, of a pod or of a container.
#pragma once

#include <optional>
#include <string_view>

#include "policy/json/json.hpp"

namespace winadmit {

struct SecurityContext {
  std::optional<bool> run_as_non_root;
  std::optional<std::string_view> run_as_user_name;  // windowsOptions.runAsUserName
  std::optional<bool> host_process;                  // windowsOptions.hostProcess
  bool has_windows_options = false;                  // windowsOptions has a member
};

/// Reads the securityContext at `path`.
SecurityContext read_security_context(JsonObject context, FieldPath& path, FieldErrors& errors);

/// What is in force for a container: its own value of a field, else the pod's
/// (k8s.io/kubernetes pkg/securitycontext, DetermineEffectiveSecurityContext).
SecurityContext merge(const SecurityContext& container, const SecurityContext& pod);

}  // namespace winadmit
