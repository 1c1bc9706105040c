#include "policy/rules/predicates_users.hpp"

#include <algorithm>
#include <string_view>

#include "policy/pod/pod.hpp"
#include "policy/pod/security_context.hpp"
#include "policy/rules/predicates.hpp"
#include "text/text.hpp"

namespace winadmit {
namespace {

bool has_user_name(const SecurityContext& context) {
  return !context.run_as_user_name.value_or("").empty();
}

/// Whether the user may be an account of the node. The two accounts of container images are none.
bool has_user_of_node(const SecurityContext& context) {
  std::string_view user = context.run_as_user_name.value_or("");
  user.remove_prefix(user.rfind('\\') + 1);  // the domain
  return !user.empty() && !equals_ignoring_case(user, "ContainerUser") &&
         !equals_ignoring_case(user, "ContainerAdministrator");
}

/// Whether it holds for the own security context of a container.
bool any_container(const Pod& pod, const auto& holds) {
  bool found = false;
  for_each_container(pod, [&](const Container& container) {
    found = found || holds(own_security_context(container.object));
  });
  return found;
}

/// Whether a security context has a part in the choice of the user of a container.
bool chooses_user(const SecurityContext& context) {
  return context.run_as_non_root || context.run_as_user_name;
}

template <LetterCase Letters>
bool runs_admin_as_nonroot(const SecurityContext& context) {
  constexpr std::string_view kAdministrator = "ContainerAdministrator";
  if (!context.run_as_non_root.value_or(false)) return false;
  const std::string_view user = context.run_as_user_name.value_or("");
  return Letters == LetterCase::exact ? user == kAdministrator
                                      : equals_ignoring_case(user, kAdministrator);
}

}  // namespace

template <LetterCase Letters>
bool container_runs_admin_as_nonroot(JsonValue, const Context& where) {
  const SecurityContext own = own_security_context(where.container);
  return chooses_user(own) &&
         runs_admin_as_nonroot<Letters>(merge(own, where.pod.security_context));
}
template bool container_runs_admin_as_nonroot<LetterCase::exact>(JsonValue, const Context&);
template bool container_runs_admin_as_nonroot<LetterCase::ignored>(JsonValue, const Context&);

template <LetterCase Letters>
bool pod_runs_admin_as_nonroot(JsonValue, const Context& where) {
  return runs_admin_as_nonroot<Letters>(where.pod.security_context) &&
         any_container(where.pod, [](const SecurityContext& own) { return !chooses_user(own); });
}
template bool pod_runs_admin_as_nonroot<LetterCase::exact>(JsonValue, const Context&);
template bool pod_runs_admin_as_nonroot<LetterCase::ignored>(JsonValue, const Context&);

bool value_is_nonroot_without_user(JsonValue value, const Context& where) {
  return value_is_true(value, where) &&
         !has_user_name(effective_security_context(where.pod, where.container));
}

bool value_is_nonroot_without_user_in_a_container(JsonValue value, const Context& where) {
  if (!value_is_true(value, where) || has_user_name(where.pod.security_context)) return false;
  return any_container(where.pod, [](const SecurityContext& own) {
    return !own.run_as_non_root && !has_user_name(own);
  });
}

bool value_is_host_process_without_user(JsonValue value, const Context& where) {
  return value_is_true(value, where) &&
         !has_user_of_node(effective_security_context(where.pod, where.container));
}

bool value_is_host_process_without_user_in_a_container(JsonValue value, const Context& where) {
  if (!value_is_true(value, where)) return false;
  return any_container(where.pod, [&](const SecurityContext& own) {
    return !own.host_process && !has_user_of_node(merge(own, where.pod.security_context));
  });
}

}  // namespace winadmit
