// The predicates of the rule table: named functions, so that the table is constexpr and a row reads
// as a sentence. A new kind of condition gets its own function in predicates.cpp. A predicate takes
// any value; it does not match a value of another type than its own.
#pragma once

#include <string_view>

#include "policy/rules/phrase.hpp"
#include "policy/rules/predicate.hpp"

namespace winadmit {

bool never_matches(JsonValue, const Context&);
bool value_is_true(JsonValue, const Context&);
bool value_is_false(JsonValue, const Context&);
bool value_is_present(JsonValue, const Context&);
bool value_is_nonempty(JsonValue, const Context&);
bool value_has_several(JsonValue, const Context&);
bool value_is_not_0644(JsonValue, const Context&);
bool value_is_not_30(JsonValue, const Context&);
bool value_has_hugepages(JsonValue, const Context&);
bool value_is_localhost_profile(JsonValue, const Context&);
bool value_is_profile_other_than_localhost(JsonValue, const Context&);
bool value_is_any_profile_other_than_localhost(JsonValue, const Context&);
bool value_has_requests_or_limits(JsonValue, const Context&);
bool value_has_selinux_options(JsonValue, const Context&);
bool value_neither_adds_nor_drops(JsonValue, const Context&);
bool value_has_dns_settings(JsonValue, const Context&);
bool key_is_hugepages(std::string_view key);
bool is_not_amount_zero(JsonValue amount);
bool value_is_set_in_host_process_pod(JsonValue, const Context&);
bool value_is_hyperv_with_several_containers(JsonValue, const Context&);
bool value_is_isolation_that_may_start(JsonValue, const Context&);

namespace detail {

bool type_of(JsonValue value, std::string_view& type);

template <Literal Lead, Literal... Words>
inline constexpr std::string_view kEnglishList =
    Joined<WordList<Words...>::kWords, kEnglish, Lead, "">::kView;

/// A text in CEL around the list ['A', 'B'].
template <Literal Before, Literal After, Literal... Words>
inline constexpr std::string_view kCelList =
    Joined<WordList<Words...>::kWords, kCelStrings, Before, After>::kView;

}  // namespace detail

template <Literal... Words>
bool value_is_one_of(JsonValue value, const Context&) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS && ((text == Words.view()) || ...);
}

template <Literal... Words>
bool value_is_none_of(JsonValue value, const Context&) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS && ((text != Words.view()) && ...);
}

template <Literal... Words>
bool type_is_one_of(JsonValue value, const Context&) {
  std::string_view type;
  return detail::type_of(value, type) && ((type == Words.view()) || ...);
}

/// Matches {} too: an object without a `type` has none of these types.
template <Literal... Words>
bool type_is_none_of(JsonValue value, const Context&) {
  std::string_view type;
  return value.is_object() && (!detail::type_of(value, type) || ((type != Words.view()) && ...));
}

// In lower case although they are constants: in a row of the table each is part of a sentence.
// NOLINTBEGIN(readability-identifier-naming)

/// Never matches: for a row that applies only if spec.os.name is set, or only under strict.
inline constexpr Predicate never{never_matches, Cel("false"), ""};

inline constexpr Predicate is_true =
    Predicate(value_is_true, Cel("$value.orValue(false)"), "is true", JsonType::boolean)
        .forbidding_field();
inline constexpr Predicate is_false =
    Predicate(value_is_false, Cel("!$value.orValue(true)"), "is false", JsonType::boolean)
        .forbidding_field();

namespace detail {
constexpr Predicate present(JsonType type) {
  return Predicate(value_is_present, Cel("$value.hasValue()"), "is present", type)
      .forbidding_field();
}
constexpr Predicate nonempty(Cel twin, JsonType type) {
  return Predicate(value_is_nonempty, twin, "is not empty", type).forbidding_field();
}
}  // namespace detail
inline constexpr Predicate present_boolean = detail::present(JsonType::boolean);
inline constexpr Predicate present_integer = detail::present(JsonType::integer);
inline constexpr Predicate present_string = detail::present(JsonType::string);
inline constexpr Predicate present_list = detail::present(JsonType::list);
inline constexpr Predicate present_object = detail::present(JsonType::object);

inline constexpr Predicate nonempty_list =
    detail::nonempty(Cel("$value.orValue([]).size() > 0"), JsonType::list);
inline constexpr Predicate nonempty_string =
    detail::nonempty(Cel("$value.orValue('') != ''"), JsonType::string);

/// The API server passes members that are null, empty or unknown on as {}.
inline constexpr Predicate has_selinux_options =
    Predicate(value_has_selinux_options, Cel("$value.orValue({}).size() > 0"),
              "has a level, role, type or user", JsonType::object, "{level,role,type,user}",
              JsonType::string)
        .forbidding_field();

inline constexpr Predicate more_than_one{value_has_several, Cel("$value.orValue([]).size() > 1"),
                                         "has more than one entry", JsonType::list};
inline constexpr Predicate not_mode_0644{value_is_not_0644, Cel("$value.orValue(420) != 420"),
                                         "is not 420 (0644)", JsonType::integer};
inline constexpr Predicate not_30_seconds{value_is_not_30, Cel("$value.orValue(30) != 30"),
                                          "is not 30", JsonType::integer};
inline constexpr Predicate has_hugepages =
    Predicate(value_has_hugepages,
              Cel("$key.startsWith('hugepages-') && $value[?$key].orValue('') != '0'"),
              "has a key hugepages-* with an amount other than 0", JsonType::object)
        .by_key(key_is_hugepages, is_not_amount_zero);
inline constexpr Predicate has_requests_or_limits{
    value_has_requests_or_limits,
    Cel("$value.?requests.orValue({}).size() > 0 || $value.?limits.orValue({}).size() > 0"),
    "has requests or limits",
    JsonType::object,
    "{requests,limits}",
    JsonType::object};

/// Capabilities without any entry in `add` and `drop`. Other rules report the entries of these, so
/// that one mistake is reported once.
inline constexpr Predicate neither_adds_nor_drops{
    value_neither_adds_nor_drops,
    Cel("$value.hasValue() && $value.?add.orValue([]).size() == 0 && "
        "$value.?drop.orValue([]).size() == 0"),
    "is present and neither adds nor drops anything",
    JsonType::object,
    "{add,drop}",
    JsonType::list};

/// For a dnsConfig.
inline constexpr Predicate has_dns_settings =
    Predicate(value_has_dns_settings,
              Cel("$value.?nameservers.orValue([]).size() > 0 || "
                  "$value.?searches.orValue([]).size() > 0 || "
                  "$value.?options.orValue([]).size() > 0"),
              "is not empty", JsonType::object, "{nameservers,searches,options}", JsonType::list)
        .forbidding_field();

/// For a flag and a text of a security context.
inline constexpr Predicate true_in_host_process_pod{
    value_is_set_in_host_process_pod, Cel("$value.orValue(false) && $pod.isHostProcess"),
    "is true and every container is a HostProcess container", JsonType::boolean};
inline constexpr Predicate nonempty_in_host_process_pod{
    value_is_set_in_host_process_pod, Cel("$value.orValue('') != '' && $pod.isHostProcess"),
    "is not empty and every container is a HostProcess container", JsonType::string};

/// For the annotations of seccomp and AppArmor: a profile on the node, and one that is not. The two
/// never match the same value.
inline constexpr Predicate localhost_profile{value_is_localhost_profile,
                                             Cel("$value.orValue('').startsWith('localhost/')"),
                                             R"(starts with "localhost/")", JsonType::string};
inline constexpr Predicate profile_other_than_localhost{
    value_is_profile_other_than_localhost,
    Cel("!($value.orValue('') in ['', 'unconfined']) && "
        "!$value.orValue('').startsWith('localhost/')"),
    R"(is other than "unconfined" or "" and does not start with "localhost/")", JsonType::string};
inline constexpr Predicate any_profile_other_than_localhost{
    value_is_any_profile_other_than_localhost,
    Cel("$value.orValue('') != '' && !$value.orValue('').startsWith('localhost/')"),
    R"(is not empty and does not start with "localhost/")", JsonType::string};

/// For the isolation-type annotation: pods that cannot start, and pods that can start if a feature
/// gate is on. The two never match the same pod.
inline constexpr Predicate is_hyperv_with_several_containers{
    value_is_hyperv_with_several_containers,
    Cel("$value.orValue('') == 'hyperv' && $pod.nonEphemeralContainers.size() > 1"),
    "is \"hyperv\" on a pod of several containers", JsonType::string};
inline constexpr Predicate is_isolation_that_may_start{
    value_is_isolation_that_may_start,
    Cel("!($value.orValue('') in ['', 'process']) && "
        "!($value.orValue('') == 'hyperv' && $pod.nonEphemeralContainers.size() > 1)"),
    "is other than \"process\" or \"\", unless it is \"hyperv\" on a pod of several containers",
    JsonType::string};

/// one_of<"Strict">: the value is one of these strings.
template <Literal... Words>
inline constexpr Predicate one_of{value_is_one_of<Words...>,
                                  Cel(detail::kCelList<"$value.orValue('') in [", "]", Words...>),
                                  detail::kEnglishList<"is ", Words...>, JsonType::string};

/// none_of<"Default", "">: the value is a string other than these.
template <Literal... Words>
inline constexpr Predicate none_of{
    value_is_none_of<Words...>,
    Cel(detail::kCelList<"$value.hasValue() && !($value.orValue('') in [", "])", Words...>),
    detail::kEnglishList<"is other than ", Words...>, JsonType::string};

/// typed<"Localhost">: the `type` member of the value is one of these.
template <Literal... Words>
inline constexpr Predicate typed{
    type_is_one_of<Words...>,
    Cel(detail::kCelList<"$value.?type.orValue('') in [", "]", Words...>),
    detail::kEnglishList<"has the type ", Words...>,
    JsonType::object,
    "type",
    JsonType::string};

/// typed_other_than<"Localhost">: the `type` member of the value is none of these, or missing.
template <Literal... Words>
inline constexpr Predicate typed_other_than{
    type_is_none_of<Words...>,
    Cel(detail::kCelList<"$value.hasValue() && !($value.?type.orValue('') in [", "])", Words...>),
    detail::kEnglishList<"has a type other than ", Words...>,
    JsonType::object,
    "type",
    JsonType::string};

bool all_containers_host_process(const Context&);
bool all_containers_host_process_without_spec_os(const Context&);
bool host_network_of_host_process(const Context&);
bool user_inherited_by_annotation(const Context&);
bool has_spec_os_windows(const Context&);

inline constexpr Condition all_host_process =
    Condition(all_containers_host_process, Cel("$pod.isHostProcess"),
              "every container is a HostProcess container")
        .from(kHostProcessVersion);
inline constexpr Condition all_host_process_without_spec_os =
    Condition(all_containers_host_process_without_spec_os,
              Cel("$pod.isHostProcess && $pod.spec.?os.?name.orValue('') != 'windows'"),
              "every container is a HostProcess container and spec.os.name is not set")
        .described_without_spec_os(all_host_process.description);
inline constexpr Condition inherits_user{
    user_inherited_by_annotation,
    Cel("$pod.annotations[?'microsoft.com/hostprocess-inherit-user'].orValue('') == 'true'"),
    "the annotation microsoft.com/hostprocess-inherit-user is \"true\""};
inline constexpr Condition spec_os_is_windows{has_spec_os_windows,
                                              Cel("$pod.spec.?os.?name.orValue('') == 'windows'"),
                                              "spec.os.name is windows"};
inline constexpr Condition host_process_on_host_network{
    host_network_of_host_process,
    Cel("$pod.isHostProcess && $pod.spec.?hostNetwork.orValue(false)"),
    "every container is a HostProcess container and hostNetwork is true"};

// NOLINTEND(readability-identifier-naming)

}  // namespace winadmit
