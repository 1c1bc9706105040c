#include "policy/pod/security_context.hpp"

#include <algorithm>

namespace winadmit {
namespace {

bool has_member(JsonObject object) {
  return std::ranges::any_of(object, [](const auto& member) { return !member.value.is_null(); });
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

SecurityContext merge(const SecurityContext& container, const SecurityContext& pod) {
  const auto first = [](const auto& own, const auto& inherited) { return own ? own : inherited; };
  return {.run_as_non_root = first(container.run_as_non_root, pod.run_as_non_root),
          .run_as_user_name = first(container.run_as_user_name, pod.run_as_user_name),
          .host_process = first(container.host_process, pod.host_process),
          .has_windows_options = container.has_windows_options || pod.has_windows_options};
}

}  // namespace winadmit
