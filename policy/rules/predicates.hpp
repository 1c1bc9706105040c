// The predicates of the rule table: named functions, so that the table is constexpr and a row reads
// as a sentence. A new kind of condition gets its own function in predicates.cpp. A predicate takes
// any value; it does not match a value of another type than its own.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "policy/json/json.hpp"

namespace winadmit {

struct Pod;

/// Where a value was found, for predicates that relate it to other fields.
struct Context {
  const Pod& pod;
  simdjson::dom::object container;  // the container of the value; outside of one, the pod spec
  bool spec_os = false;  // the API server validates the pod by spec.os.name, which is windows
};

/// The JSON type of a field in the Kubernetes API. A value of another type is an error of the
/// input, not a match.
enum class JsonType { any, boolean, integer, string, list, object };

struct Predicate {
  bool (*matches)(JsonValue value, const Context& where) = nullptr;
  std::string_view description;  // completes "forbidden when it ..."
  JsonType type = JsonType::any;

  /// The members of the value that `matches` reads, as a field pattern.
  std::string_view reads = {};

  /// For a map: the forbidden keys, each of which is a finding. Unset: the whole value is one
  /// finding.
  bool (*forbids_key)(std::string_view key) = nullptr;

  /// Whether `matches` relates what it reads to other fields and ignores the rest of the value: a
  /// change of the rest makes no new finding.
  bool relates = false;

  constexpr explicit operator bool() const { return matches != nullptr; }
};

struct Condition {
  bool (*holds)(const Context& where) = nullptr;
  std::string_view description;  // completes "only if ..." and "unless ..."

  constexpr explicit operator bool() const { return holds != nullptr; }
};

bool value_is_none(JsonValue, const Context&);
bool value_is_true(JsonValue, const Context&);
bool value_is_false(JsonValue, const Context&);
bool value_is_present(JsonValue, const Context&);
bool value_is_nonempty(JsonValue, const Context&);
bool value_has_several(JsonValue, const Context&);
bool value_is_not_0644(JsonValue, const Context&);
bool value_is_not_30(JsonValue, const Context&);
bool value_has_hugepages(JsonValue, const Context&);
bool value_has_requests_or_limits(JsonValue, const Context&);
bool value_neither_adds_nor_drops(JsonValue, const Context&);
bool key_is_hugepages(std::string_view key);
enum class LetterCase { exact, ignored };
template <LetterCase>
bool container_runs_admin_as_nonroot(JsonValue, const Context&);
template <LetterCase>
bool pod_runs_admin_as_nonroot(JsonValue, const Context&);
bool value_is_nonroot_without_user(JsonValue, const Context&);
bool value_is_nonroot_without_user_in_a_container(JsonValue, const Context&);
bool value_is_host_process_without_user(JsonValue, const Context&);
bool value_is_host_process_without_user_in_a_container(JsonValue, const Context&);
bool value_names_a_pipe(JsonValue, const Context&);
bool value_is_linux_path(JsonValue, const Context&);
bool value_is_root_of_c(JsonValue, const Context&);
bool value_starts_linux_program(JsonValue, const Context&);
bool value_is_hyperv_with_several_containers(JsonValue, const Context&);
bool value_is_isolation_that_may_start(JsonValue, const Context&);

namespace detail {

/// A string literal as a template argument: one_of<"Strict">.
template <std::size_t N>
struct Literal {
  char text[N]{};
  consteval Literal(const char (&from)[N]) { std::copy_n(from, N, text); }  // NOLINT: implicit
  constexpr std::string_view view() const { return {text, N - 1}; }
};

bool type_of(JsonValue value, std::string_view& type);

/// The description of a predicate that compares words: `is "A", "B" or "C"`.
template <Literal Lead, Literal... Words>
struct Phrase {
  static constexpr std::size_t kLength =
      Lead.view().size() + ((Words.view().size() + 2) + ...) +      // each word in its quotes
      (sizeof...(Words) > 1 ? 4 + 2 * (sizeof...(Words) - 2) : 0);  // " or " once, ", " between

  static constexpr std::array<char, kLength> kText = [] {
    std::array<char, kLength> text{};
    std::size_t at = 0;
    const auto append = [&](std::string_view part) {
      for (const char letter : part) text[at++] = letter;
    };
    append(Lead.view());
    std::size_t left = sizeof...(Words);
    const auto append_word = [&](std::string_view word) {
      append("\"");
      append(word);
      append("\"");
      --left;
      if (left > 1) append(", ");
      if (left == 1) append(" or ");
    };
    (append_word(Words.view()), ...);
    return text;
  }();

  static constexpr std::string_view kView{kText.data(), kText.size()};
};

}  // namespace detail

template <detail::Literal... Words>
bool value_is_one_of(JsonValue value, const Context&) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS && ((text == Words.view()) || ...);
}

template <detail::Literal... Words>
bool value_is_none_of(JsonValue value, const Context&) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS && ((text != Words.view()) && ...);
}

template <detail::Literal... Words>
bool type_is_one_of(JsonValue value, const Context&) {
  std::string_view type;
  return detail::type_of(value, type) && ((type == Words.view()) || ...);
}

/// Matches {} too: an object without a `type` has none of these types.
template <detail::Literal... Words>
bool type_is_none_of(JsonValue value, const Context&) {
  std::string_view type;
  return value.is_object() && (!detail::type_of(value, type) || ((type != Words.view()) && ...));
}

// In lower case although they are constants: in a row of the table each is part of a sentence.
// NOLINTBEGIN(readability-identifier-naming)

/// Never matches: for a row that applies only if spec.os.name is set, or only under strict.
inline constexpr Predicate never{value_is_none, ""};

inline constexpr Predicate is_true{value_is_true, "is true", JsonType::boolean};
inline constexpr Predicate is_false{value_is_false, "is false", JsonType::boolean};

inline constexpr Predicate present_boolean{value_is_present, "is present", JsonType::boolean};
inline constexpr Predicate present_integer{value_is_present, "is present", JsonType::integer};
inline constexpr Predicate present_string{value_is_present, "is present", JsonType::string};
inline constexpr Predicate present_list{value_is_present, "is present", JsonType::list};
inline constexpr Predicate present_object{value_is_present, "is present", JsonType::object};

inline constexpr Predicate nonempty_list{value_is_nonempty, "is not empty", JsonType::list};
inline constexpr Predicate nonempty_object{value_is_nonempty, "is not empty", JsonType::object};
inline constexpr Predicate nonempty_string{value_is_nonempty, "is not empty", JsonType::string};

inline constexpr Predicate more_than_one{value_has_several, "has more than one entry",
                                         JsonType::list};
inline constexpr Predicate not_mode_0644{value_is_not_0644, "is not 420 (0644)", JsonType::integer};
inline constexpr Predicate not_30_seconds{value_is_not_30, "is not 30", JsonType::integer};
inline constexpr Predicate has_hugepages{
    value_has_hugepages, "has a key hugepages-*", JsonType::object, {}, key_is_hugepages};
inline constexpr Predicate has_requests_or_limits{
    value_has_requests_or_limits, "has requests or limits", JsonType::object, "{requests,limits}"};

/// Capabilities without any entry in `add` and `drop`. Other rules report the entries of these, so
/// that one mistake is reported once.
inline constexpr Predicate neither_adds_nor_drops{value_neither_adds_nor_drops,
                                                  "is present and neither adds nor drops anything",
                                                  JsonType::object, "{add,drop}"};

/// For the security context of a container that sets runAsNonRoot, the user name or both: what is
/// in force for the container, its own values before those of the pod, is runAsNonRoot true and
/// runAsUserName ContainerAdministrator.
inline constexpr Predicate runs_admin_as_nonroot_in_any_case{
    container_runs_admin_as_nonroot<LetterCase::ignored>,
    "makes runAsNonRoot true and runAsUserName ContainerAdministrator, in any letter case",
    JsonType::object,
    "{runAsNonRoot,windowsOptions}",
    nullptr,
    true};
inline constexpr Predicate runs_admin_as_nonroot_by_exact_name{
    container_runs_admin_as_nonroot<LetterCase::exact>,
    "makes runAsNonRoot true and runAsUserName ContainerAdministrator",
    JsonType::object,
    "{runAsNonRoot,windowsOptions}",
    nullptr,
    true};
/// The same for the security context of a pod from which a container takes both values.
inline constexpr Predicate pod_runs_admin_as_nonroot_in_any_case{
    pod_runs_admin_as_nonroot<LetterCase::ignored>,
    "makes runAsNonRoot true and runAsUserName ContainerAdministrator, in any letter case, for a "
    "container",
    JsonType::object,
    "{runAsNonRoot,windowsOptions}",
    nullptr,
    true};
inline constexpr Predicate pod_runs_admin_as_nonroot_by_exact_name{
    pod_runs_admin_as_nonroot<LetterCase::exact>,
    "makes runAsNonRoot true and runAsUserName ContainerAdministrator for a container",
    JsonType::object,
    "{runAsNonRoot,windowsOptions}",
    nullptr,
    true};

/// For runAsNonRoot of a container: no runAsUserName is in force for it. For that of a pod: a
/// container inherits it and has no runAsUserName in force.
inline constexpr Predicate nonroot_without_user{
    value_is_nonroot_without_user, "is true and no windowsOptions.runAsUserName is in force",
    JsonType::boolean};
inline constexpr Predicate nonroot_without_user_in_a_container{
    value_is_nonroot_without_user_in_a_container,
    "is true and a container that inherits it has no windowsOptions.runAsUserName in force",
    JsonType::boolean};

/// For hostProcess of a container: no runAsUserName is in force that can be an account of the node.
/// For that of a pod: a container inherits it and has no such runAsUserName.
inline constexpr Predicate host_process_without_user{
    value_is_host_process_without_user,
    "is true and the runAsUserName in force is unset, ContainerUser or ContainerAdministrator",
    JsonType::boolean};
inline constexpr Predicate host_process_without_user_in_a_container{
    value_is_host_process_without_user_in_a_container,
    "is true and in a container that inherits it the runAsUserName in force is unset, "
    "ContainerUser or ContainerAdministrator",
    JsonType::boolean};

/// For the name of a volumeMount.
inline constexpr Predicate names_a_pipe_of_host_process{
    value_names_a_pipe,
    "names a hostPath volume \\\\.\\pipe\\... in a pod whose containers are all HostProcess "
    "containers",
    JsonType::string};

/// Paths that every Linux node has and that no software for Windows nodes uses. Not among them:
/// /var/log/pods, /var/lib/kubelet, /etc/cni, /opt/cni, /usr/local/bin, /run/flannel and others
/// that the kubelet and CNI plugins have on Windows nodes too, below C:.
inline constexpr Predicate linux_path{
    value_is_linux_path,
    "is a path of Linux nodes, such as /proc, /sys, /dev, /usr/lib, "
    "/etc/ssl or /var/run/docker.sock",
    JsonType::string};

/// For a mount path. Not C: alone, which is no path of a directory.
inline constexpr Predicate root_of_c{
    value_is_root_of_c, R"(is the root of C:, in any spelling, such as C:\, /, \ or C:/.)",
    JsonType::string};

/// For a command: its first entry is in /bin, /sbin, /usr/bin or /usr/sbin.
inline constexpr Predicate starts_linux_program{
    value_starts_linux_program, "starts a program in /bin, /sbin, /usr/bin or /usr/sbin",
    JsonType::list};

/// For the isolation-type annotation: pods that cannot start, and pods that can start if a feature
/// gate is on. The two never match the same pod.
inline constexpr Predicate is_hyperv_with_several_containers{
    value_is_hyperv_with_several_containers, "is \"hyperv\" on a pod of several containers",
    JsonType::string};
inline constexpr Predicate is_isolation_that_may_start{
    value_is_isolation_that_may_start,
    "is other than \"process\", unless it is \"hyperv\" on a pod of several containers",
    JsonType::string};

/// one_of<"Strict">: the value is one of these strings.
template <detail::Literal... Words>
inline constexpr Predicate one_of{value_is_one_of<Words...>, detail::Phrase<"is ", Words...>::kView,
                                  JsonType::string};

/// none_of<"Default", "">: the value is a string other than these.
template <detail::Literal... Words>
inline constexpr Predicate none_of{value_is_none_of<Words...>,
                                   detail::Phrase<"is other than ", Words...>::kView,
                                   JsonType::string};

/// typed<"Localhost">: the `type` member of the value is one of these.
template <detail::Literal... Words>
inline constexpr Predicate typed{type_is_one_of<Words...>,
                                 detail::Phrase<"has the type ", Words...>::kView, JsonType::object,
                                 "type"};

/// typed_other_than<"Localhost">: the `type` member of the value is none of these, or missing.
template <detail::Literal... Words>
inline constexpr Predicate typed_other_than{
    type_is_none_of<Words...>, detail::Phrase<"has a type other than ", Words...>::kView,
    JsonType::object, "type"};

bool all_containers_host_process(const Context&);
bool all_containers_host_process_without_spec_os(const Context&);
bool host_network_of_host_process(const Context&);
bool user_inherited_by_annotation(const Context&);

inline constexpr Condition all_host_process{all_containers_host_process,
                                            "every container is a HostProcess container"};
inline constexpr Condition all_host_process_without_spec_os{
    all_containers_host_process_without_spec_os,
    "every container is a HostProcess container and spec.os.name is not set"};
inline constexpr Condition inherits_user{
    user_inherited_by_annotation,
    "the annotation microsoft.com/hostprocess-inherit-user is \"true\""};
inline constexpr Condition host_process_on_host_network{
    host_network_of_host_process,
    "every container is a HostProcess container and hostNetwork is true"};

// NOLINTEND(readability-identifier-naming)

}  // namespace winadmit
