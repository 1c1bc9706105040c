// What matters here of a security context. A container's value goes before the pod's
// (k8s.io/kubernetes pkg/securitycontext, DetermineEffectiveSecurityContext).
#pragma once

#include <optional>
#include <string_view>

#include "policy/json/json.hpp"

namespace winadmit {

struct SecurityContext {
  std::optional<bool> run_as_non_root;
  std::optional<std::string_view> run_as_user_name;  // windowsOptions.runAsUserName
  std::optional<bool> host_process;                  // windowsOptions.hostProcess
  bool has_windows_options = false;                  // with a member; an empty object says nothing
};

/// Reads the securityContext at `path`.
SecurityContext read_security_context(JsonObject context, FieldPath& path, FieldErrors& errors);

/// The same of a container, whose errors were noted before.
SecurityContext security_context_of(JsonObject container);

}  // namespace winadmit
