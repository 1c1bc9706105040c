// The predicates about the user that a container runs as: what is in force for it, its own values
// before those of the pod.
#pragma once

#include "policy/rules/predicate.hpp"

namespace winadmit {

enum class LetterCase { exact, ignored };
template <LetterCase>
bool container_runs_admin_as_nonroot(JsonValue, const Context&);
template <LetterCase>
bool pod_runs_admin_as_nonroot(JsonValue, const Context&);
bool value_is_nonroot_without_user(JsonValue, const Context&);
bool value_is_nonroot_without_user_in_a_container(JsonValue, const Context&);
bool value_is_host_process_without_user(JsonValue, const Context&);
bool value_is_host_process_without_user_in_a_container(JsonValue, const Context&);

// NOLINTBEGIN(readability-identifier-naming): part of a sentence in a row of the table.

/// For the security context of a container that sets runAsNonRoot, the user name or both: what is
/// in force is runAsNonRoot true and runAsUserName ContainerAdministrator.
inline constexpr Predicate runs_admin_as_nonroot_in_any_case =
    Predicate(
        container_runs_admin_as_nonroot<LetterCase::ignored>,
        Cel("($value.?runAsNonRoot.hasValue() || "
            "$value.?windowsOptions.?runAsUserName.hasValue()) && "
            "$value.?runAsNonRoot.or($pod.securityContext.?runAsNonRoot).orValue(false) && "
            "$value.?windowsOptions.?runAsUserName"
            ".or($pod.securityContext.?windowsOptions.?runAsUserName).orValue('')"
            ".lowerAscii() == 'containeradministrator'"),
        "makes runAsNonRoot true and runAsUserName ContainerAdministrator, in any letter case",
        JsonType::object, "{runAsNonRoot,windowsOptions}")
        .reads_siblings();
inline constexpr Predicate runs_admin_as_nonroot_by_exact_name =
    Predicate(container_runs_admin_as_nonroot<LetterCase::exact>,
              Cel("($value.?runAsNonRoot.hasValue() || "
                  "$value.?windowsOptions.?runAsUserName.hasValue()) && "
                  "$value.?runAsNonRoot.or($pod.securityContext.?runAsNonRoot).orValue(false) && "
                  "$value.?windowsOptions.?runAsUserName"
                  ".or($pod.securityContext.?windowsOptions.?runAsUserName).orValue('')"
                  " == 'ContainerAdministrator'"),
              "makes runAsNonRoot true and runAsUserName ContainerAdministrator", JsonType::object,
              "{runAsNonRoot,windowsOptions}")
        .reads_siblings();
/// The same for the security context of a pod from which a container takes both values.
inline constexpr Predicate pod_runs_admin_as_nonroot_in_any_case =
    Predicate(
        pod_runs_admin_as_nonroot<LetterCase::ignored>,
        Cel("$value.?runAsNonRoot.orValue(false) && "
            "$value.?windowsOptions.?runAsUserName.orValue('').lowerAscii() == "
            "'containeradministrator' && "
            "$pod.containers.exists(c, !c.?securityContext.?runAsNonRoot.hasValue() && "
            "!c.?securityContext.?windowsOptions.?runAsUserName.hasValue())"),
        "makes runAsNonRoot true and runAsUserName ContainerAdministrator, in any letter case, for "
        "a container",
        JsonType::object, "{runAsNonRoot,windowsOptions}")
        .reads_siblings();
inline constexpr Predicate pod_runs_admin_as_nonroot_by_exact_name =
    Predicate(
        pod_runs_admin_as_nonroot<LetterCase::exact>,
        Cel("$value.?runAsNonRoot.orValue(false) && "
            "$value.?windowsOptions.?runAsUserName.orValue('') == 'ContainerAdministrator' && "
            "$pod.containers.exists(c, !c.?securityContext.?runAsNonRoot.hasValue() && "
            "!c.?securityContext.?windowsOptions.?runAsUserName.hasValue())"),
        "makes runAsNonRoot true and runAsUserName ContainerAdministrator for a container",
        JsonType::object, "{runAsNonRoot,windowsOptions}")
        .reads_siblings();

/// For runAsNonRoot of a container: no runAsUserName is in force for it. For that of a pod: a
/// container inherits it and has no runAsUserName in force.
inline constexpr Predicate nonroot_without_user{
    value_is_nonroot_without_user,
    Cel("$value.orValue(false) && $container.?securityContext.?windowsOptions.?runAsUserName"
        ".or($pod.securityContext.?windowsOptions.?runAsUserName).orValue('') == ''"),
    "is true and no windowsOptions.runAsUserName is in force", JsonType::boolean};
inline constexpr Predicate nonroot_without_user_in_a_container{
    value_is_nonroot_without_user_in_a_container,
    Cel("$value.orValue(false) && "
        "$pod.securityContext.?windowsOptions.?runAsUserName.orValue('') == '' && "
        "$pod.containers.exists(c, !c.?securityContext.?runAsNonRoot.hasValue() && "
        "c.?securityContext.?windowsOptions.?runAsUserName.orValue('') == '')"),
    "is true and a container that inherits it has no windowsOptions.runAsUserName in force",
    JsonType::boolean};

/// For hostProcess of a container: no runAsUserName is in force that can be an account of the node.
/// For that of a pod: a container inherits it and has no such runAsUserName.
inline constexpr Predicate host_process_without_user{
    value_is_host_process_without_user,
    Cel(R"($value.orValue(false) && $container.?securityContext.?windowsOptions.?runAsUserName)"
        R"(.or($pod.securityContext.?windowsOptions.?runAsUserName).orValue('').lowerAscii())"
        R"(.matches(r'(?s)^(.*\\)?(containeruser|containeradministrator)?$'))"),
    "is true and the runAsUserName in force is unset, ContainerUser or ContainerAdministrator",
    JsonType::boolean};
inline constexpr Predicate host_process_without_user_in_a_container{
    value_is_host_process_without_user_in_a_container,
    Cel(R"($value.orValue(false) && $pod.containers.exists(c, )"
        R"(!c.?securityContext.?windowsOptions.?hostProcess.hasValue() && )"
        R"(c.?securityContext.?windowsOptions.?runAsUserName)"
        R"(.or($pod.securityContext.?windowsOptions.?runAsUserName).orValue('').lowerAscii())"
        R"(.matches(r'(?s)^(.*\\)?(containeruser|containeradministrator)?$')))"),
    "is true and in a container that inherits it the runAsUserName in force is unset, "
    "ContainerUser or ContainerAdministrator",
    JsonType::boolean};

// NOLINTEND(readability-identifier-naming)

}  // namespace winadmit
