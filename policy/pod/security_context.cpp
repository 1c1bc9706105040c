#include "policy/pod/security_context.hpp"

namespace winadmit {
namespace {

bool has_member(JsonObject object) {
  for (const auto member : object) {
    if (!member.value.is_null()) return true;
  }
  return false;
}

}  // namespace

SecurityContext read_security_context(JsonObject context, FieldPath& path, FieldErrors& errors) {
  SecurityContext read;
  std::optional<JsonObject> options;
  read_members(context, path, errors, Member{"runAsNonRoot", read.run_as_non_root},
               Member{"windowsOptions", options});
  if (!options) return read;
  read.has_windows_options = has_member(*options);
  const ScopedStep step(path, "windowsOptions");
  read_members(*options, path, errors, Member{"runAsUserName", read.run_as_user_name},
               Member{"hostProcess", read.host_process});
  return read;
}

SecurityContext security_context_of(JsonObject container) {
  SecurityContext read;
  const auto context = member<JsonObject>(container, "securityContext");
  if (!context) return read;
  read.run_as_non_root = member<bool>(*context, "runAsNonRoot");
  const auto options = member<JsonObject>(*context, "windowsOptions");
  if (!options) return read;
  read.has_windows_options = has_member(*options);
  read.run_as_user_name = member<std::string_view>(*options, "runAsUserName");
  read.host_process = member<bool>(*options, "hostProcess");
  return read;
}

}  // namespace winadmit
