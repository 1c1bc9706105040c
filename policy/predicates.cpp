#include "policy/predicates.hpp"

#include <cstdint>

namespace winadmit {
namespace {

using simdjson::SUCCESS;
using simdjson::dom::array;
using simdjson::dom::object;

constexpr std::string_view kContainerLists[] = {"containers", "initContainers",
                                                "ephemeralContainers"};

/// The member, unless it is missing or null: Kubernetes takes an explicit null for absent.
bool find(object parent, std::string_view name, Json& member) {
  return parent[name].get(member) == SUCCESS && !member.is_null();
}

/// securityContext.<name> or securityContext.windowsOptions.<name> of a pod spec or a container.
bool find_in_security_context(object owner, std::string_view name, Json& member) {
  object context;
  return owner["securityContext"].get(context) == SUCCESS && find(context, name, member);
}

bool find_in_windows_options(object owner, std::string_view name, Json& member) {
  Json options;
  object members;
  return find_in_security_context(owner, "windowsOptions", options) &&
         options.get(members) == SUCCESS && find(members, name, member);
}

bool is_true_boolean(Json value) {
  bool flag = false;
  return value.get(flag) == SUCCESS && flag;
}

bool equals_ignoring_case(std::string_view left, std::string_view right) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                    [&](char a, char b) { return lower(a) == lower(b); });
}

bool is_integer_other_than(Json value, std::int64_t benign) {
  std::int64_t number = 0;
  if (value.get(number) == SUCCESS) return number != benign;
  return value.is_uint64();  // too large for int64, so it is none of the small benign numbers
}

bool has_nonempty_list(object parent, std::string_view name) {
  array entries;
  return parent[name].get(entries) == SUCCESS && entries.size() > 0;
}

bool has_nonempty_object(object parent, std::string_view name) {
  object members;
  return parent[name].get(members) == SUCCESS && members.size() > 0;
}

/// How many containers the pod starts with; an ephemeral container comes later.
std::size_t started_containers(object spec) {
  std::size_t count = 0;
  for (const std::string_view list : {"containers", "initContainers"}) {
    array containers;
    if (spec[list].get(containers) == SUCCESS) count += containers.size();
  }
  return count;
}

/// A container's own value goes before the pod's, as in DetermineEffectiveSecurityContext.
bool is_host_process(object container, object spec) {
  Json value;
  if (find_in_windows_options(container, "hostProcess", value)) return is_true_boolean(value);
  return find_in_windows_options(spec, "hostProcess", value) && is_true_boolean(value);
}

}  // namespace

bool detail::type_of(Json value, std::string_view& type) {
  object members;
  return value.get(members) == SUCCESS && members["type"].get(type) == SUCCESS;
}

bool value_is_none(Json, const Context&) { return false; }

bool value_is_true(Json value, const Context&) { return is_true_boolean(value); }

bool value_is_false(Json value, const Context&) {
  bool flag = true;
  return value.get(flag) == SUCCESS && !flag;
}

bool value_is_present(Json value, const Context&) { return !value.is_null(); }

bool value_is_nonempty(Json value, const Context&) {
  std::string_view text;
  if (value.get(text) == SUCCESS) return !text.empty();
  array entries;
  if (value.get(entries) == SUCCESS) return entries.size() > 0;
  object members;
  return value.get(members) == SUCCESS && members.size() > 0;
}

bool value_has_several(Json value, const Context&) {
  array entries;
  return value.get(entries) == SUCCESS && entries.size() > 1;
}

bool value_is_not_0644(Json value, const Context&) { return is_integer_other_than(value, 0644); }

bool value_is_not_30(Json value, const Context&) { return is_integer_other_than(value, 30); }

bool value_has_hugepages(Json value, const Context&) {
  object amounts;
  if (value.get(amounts) != SUCCESS) return false;
  for (const auto& amount : amounts) {
    if (amount.key.substr(0, 10) == "hugepages-") return true;
  }
  return false;
}

bool value_has_requests_or_limits(Json value, const Context&) {
  object resources;
  return value.get(resources) == SUCCESS &&
         (has_nonempty_object(resources, "requests") || has_nonempty_object(resources, "limits"));
}

bool value_neither_adds_nor_drops(Json value, const Context&) {
  object capabilities;
  return value.get(capabilities) == SUCCESS && !has_nonempty_list(capabilities, "add") &&
         !has_nonempty_list(capabilities, "drop");
}

bool value_runs_admin_as_nonroot(Json, const Context& where) {
  Json non_root;
  if (!find_in_security_context(where.container, "runAsNonRoot", non_root) &&
      !find_in_security_context(where.spec, "runAsNonRoot", non_root)) {
    return false;
  }
  Json user;
  if (!find_in_windows_options(where.container, "runAsUserName", user) &&
      !find_in_windows_options(where.spec, "runAsUserName", user)) {
    return false;
  }
  std::string_view name;
  return is_true_boolean(non_root) && user.get(name) == SUCCESS &&
         equals_ignoring_case(name, "ContainerAdministrator");
}

bool value_is_hyperv_with_several_containers(Json value, const Context& where) {
  std::string_view isolation;
  return value.get(isolation) == SUCCESS && isolation == "hyperv" &&
         started_containers(where.spec) > 1;
}

bool value_is_isolation_that_may_start(Json value, const Context& where) {
  std::string_view isolation;
  return value.get(isolation) == SUCCESS && !isolation.empty() && isolation != "process" &&
         !value_is_hyperv_with_several_containers(value, where);
}

bool all_containers_host_process(const Context& where) {
  std::size_t seen = 0;
  for (const std::string_view list : kContainerLists) {
    array containers;
    if (where.spec[list].get(containers) != SUCCESS) continue;
    for (const Json entry : containers) {
      object container;
      if (entry.get(container) != SUCCESS || !is_host_process(container, where.spec)) return false;
      ++seen;
    }
  }
  return seen > 0;
}

bool host_network_of_host_process(const Context& where) {
  Json host_network;
  return find(where.spec, "hostNetwork", host_network) && is_true_boolean(host_network) &&
         all_containers_host_process(where);
}

}  // namespace winadmit
