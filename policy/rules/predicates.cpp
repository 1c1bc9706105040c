#include "policy/rules/predicates.hpp"

#include <algorithm>
#include <cstdint>

#include "policy/json/json.hpp"
#include "policy/pod/pod.hpp"
#include "policy/pod/quantity.hpp"

namespace winadmit {
namespace {

using simdjson::SUCCESS;

constexpr std::string_view kSelinuxOptions[] = {"level", "role", "type", "user"};

bool is_integer_other_than(JsonValue value, std::int64_t expected) {
  std::int64_t number = 0;
  if (value.get(number) == SUCCESS) return number != expected;
  return value.is_uint64();  // too large for int64
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

bool never_matches(JsonValue, const Context&) { return false; }

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
  return value.get(entries) == SUCCESS && entries.begin() != entries.end();
}

bool value_has_selinux_options(JsonValue value, const Context&) {
  JsonObject options;
  return value.get(options) == SUCCESS &&
         std::ranges::any_of(kSelinuxOptions, [&](std::string_view name) {
           return !string_member(options, name).empty();
         });
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

bool is_not_amount_zero(JsonValue amount) {
  return !amount.is_null() && read_quantity(amount) != 0.0;  // null is decoded as zero
}

bool value_has_hugepages(JsonValue value, const Context&) {
  JsonObject amounts;
  if (value.get(amounts) != SUCCESS) return false;
  return std::ranges::any_of(amounts, [](const auto& amount) {
    return key_is_hugepages(amount.key) && is_not_amount_zero(amount.value);
  });
}

bool value_is_localhost_profile(JsonValue value, const Context&) {
  std::string_view profile;
  return value.get(profile) == SUCCESS && profile.starts_with("localhost/");
}

bool value_is_any_profile_other_than_localhost(JsonValue value, const Context& where) {
  std::string_view profile;
  return value.get(profile) == SUCCESS && !profile.empty() &&
         !value_is_localhost_profile(value, where);
}

bool value_is_profile_other_than_localhost(JsonValue value, const Context& where) {
  return value_is_any_profile_other_than_localhost(value, where) &&
         value.get_string().value_unsafe() != "unconfined";
}

bool value_has_requests_or_limits(JsonValue value, const Context&) {
  JsonObject resources;
  return value.get(resources) == SUCCESS &&
         (is_nonempty_object(resources, "requests") || is_nonempty_object(resources, "limits"));
}

bool value_has_dns_settings(JsonValue value, const Context&) {
  JsonObject config;
  if (value.get(config) != SUCCESS) return false;
  return is_nonempty_list(config, "nameservers") || is_nonempty_list(config, "searches") ||
         is_nonempty_list(config, "options");
}

bool value_neither_adds_nor_drops(JsonValue value, const Context&) {
  JsonObject capabilities;
  return value.get(capabilities) == SUCCESS && !is_nonempty_list(capabilities, "add") &&
         !is_nonempty_list(capabilities, "drop");
}

bool value_is_set_in_host_process_pod(JsonValue value, const Context& where) {
  std::string_view text;
  const bool is_set = value.is_bool() ? value.get_bool().value_unsafe()
                                      : value.get(text) == SUCCESS && !text.empty();
  return is_set && where.pod.is_host_process_pod;
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

bool all_containers_host_process_without_spec_os(const Context& where) {
  return where.pod.is_host_process_pod && !where.spec_os;
}

bool user_inherited_by_annotation(const Context& where) { return where.pod.inherit_user == "true"; }

bool has_spec_os_windows(const Context& where) { return where.spec_os; }

bool host_network_of_host_process(const Context& where) {
  return where.pod.is_host_process_pod &&
         member<bool>(*where.pod.spec, "hostNetwork").value_or(false);
}

}  // namespace winadmit
