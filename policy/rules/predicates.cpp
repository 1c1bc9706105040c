#include "policy/rules/predicates.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "policy/json/json.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/security_context.hpp"

namespace winadmit {
namespace {

using simdjson::SUCCESS;

bool equals_ignoring_case(std::string_view left, std::string_view right) {
  const auto lower = [](char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
  };
  return std::ranges::equal(left, right, {}, lower, lower);
}

bool is_integer_other_than(JsonValue value, std::int64_t expected) {
  std::int64_t number = 0;
  if (value.get(number) == SUCCESS) return number != expected;
  return value.is_uint64();  // too large for int64
}

bool is_nonempty_list(JsonObject parent, std::string_view name) {
  const auto entries = member<JsonArray>(parent, name);
  return entries && entries->begin() != entries->end();
}

bool is_nonempty_object(JsonObject parent, std::string_view name) {
  const auto members = member<JsonObject>(parent, name);
  return members && members->begin() != members->end();
}

}  // namespace

bool detail::type_of(JsonValue value, std::string_view& type) {
  JsonObject members;
  return value.get(members) == SUCCESS && members.at_key("type").get(type) == SUCCESS;
}

bool value_is_none(JsonValue, const Context&) { return false; }

bool value_is_true(JsonValue value, const Context&) {
  bool flag = false;
  return value.get(flag) == SUCCESS && flag;
}

bool value_is_false(JsonValue value, const Context&) {
  bool flag = true;
  return value.get(flag) == SUCCESS && !flag;
}

bool value_is_present(JsonValue value, const Context&) { return !value.is_null(); }

bool value_is_nonempty(JsonValue value, const Context&) {
  std::string_view text;
  if (value.get(text) == SUCCESS) return !text.empty();
  JsonArray entries;
  if (value.get(entries) == SUCCESS) return entries.begin() != entries.end();
  JsonObject members;
  return value.get(members) == SUCCESS && members.begin() != members.end();
}

bool value_has_several(JsonValue value, const Context&) {
  JsonArray entries;
  return value.get(entries) == SUCCESS && entries.size() > 1;
}

bool value_is_not_0644(JsonValue value, const Context&) {
  return is_integer_other_than(value, 0644);
}

bool value_is_not_30(JsonValue value, const Context&) { return is_integer_other_than(value, 30); }

bool key_is_hugepages(std::string_view key) { return key.starts_with("hugepages-"); }

bool value_has_hugepages(JsonValue value, const Context&) {
  JsonObject amounts;
  if (value.get(amounts) != SUCCESS) return false;
  return std::ranges::any_of(amounts,
                             [](const auto& amount) { return key_is_hugepages(amount.key); });
}

bool value_has_requests_or_limits(JsonValue value, const Context&) {
  JsonObject resources;
  return value.get(resources) == SUCCESS &&
         (is_nonempty_object(resources, "requests") || is_nonempty_object(resources, "limits"));
}

bool value_neither_adds_nor_drops(JsonValue value, const Context&) {
  JsonObject capabilities;
  return value.get(capabilities) == SUCCESS && !is_nonempty_list(capabilities, "add") &&
         !is_nonempty_list(capabilities, "drop");
}

bool value_runs_admin_as_nonroot(JsonValue, const Context& where) {
  const Pod& pod = where.pod;
  if (!pod.has_windows_options) return false;
  const SecurityContext context = effective_security_context(pod, where.container);
  return context.run_as_non_root.value_or(false) &&
         equals_ignoring_case(context.run_as_user_name.value_or(""), "ContainerAdministrator");
}

bool value_is_hyperv_with_several_containers(JsonValue value, const Context& where) {
  std::string_view isolation;
  return value.get(isolation) == SUCCESS && isolation == "hyperv" &&
         count_non_ephemeral_containers(where.pod) > 1;
}

bool value_is_isolation_that_may_start(JsonValue value, const Context& where) {
  std::string_view isolation;
  return value.get(isolation) == SUCCESS && !isolation.empty() && isolation != "process" &&
         !value_is_hyperv_with_several_containers(value, where);
}

bool all_containers_host_process(const Context& where) { return where.pod.is_host_process_pod; }

bool host_network_of_host_process(const Context& where) {
  return where.pod.is_host_process_pod &&
         member<bool>(*where.pod.spec, "hostNetwork").value_or(false);
}

}  // namespace winadmit
