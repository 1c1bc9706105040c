// Rows about file systems and users in the securityContext of a container. Included by
// rules.cpp only.
#pragma once

#include <array>

#include "policy/rules/predicates_users.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

inline constexpr auto kContainerSecurityRules = std::to_array<Rule>({
    // ---- File systems ----
    {
        .id = "ctr-procmount",
        .scope = Scope::each_container,
        .field = "securityContext.procMount",
        .forbids = none_of<"Default", "">,
        .forbids_with_spec_os = present_string,
        .versions = since(1, 14),
        .reason = "Windows has no /proc file system",
        .instead = "remove it",
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-rorfs",
        .scope = Scope::each_container,
        .field = "securityContext.readOnlyRootFilesystem",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = between({1, 14}, {1, 24}),
        .reason = "the registry and the system processes need write access",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add it",
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-rorfs",
        .scope = Scope::each_container,
        .field = "securityContext.readOnlyRootFilesystem",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = since(1, 25),
        .reason = "the registry and the system processes need write access",
        .instead = "remove it and mount data volumes with readOnly: true",
        .source = sources::kDocsPodSecurity,
    },

    // ---- Users and groups ----
    {
        .id = "ctr-run-as-user",
        .scope = Scope::each_container,
        .field = "securityContext.runAsUser",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 14}, {1, 16}),
        .reason = "Windows has no numeric user IDs",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add "
                   "it; set USER in the image",
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-run-as-user",
        .scope = Scope::each_container,
        .field = "securityContext.runAsUser",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 17}, {1, 24}),
        .reason = "Windows has no numeric user IDs",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add "
                   "it; use windowsOptions.runAsUserName",
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-run-as-user",
        .scope = Scope::each_container,
        .field = "securityContext.runAsUser",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = since(1, 25),
        .reason = "Windows has no numeric user IDs",
        .instead = "remove it and use windowsOptions.runAsUserName (an OpenShift SCC adds it again "
                   "unless spec.os.name is windows)",
        .instead_with_spec_os = "remove it and use windowsOptions.runAsUserName",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "ctr-run-as-group",
        .scope = Scope::each_container,
        .field = "securityContext.runAsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 14}, {1, 24}),
        .reason = "Windows has no numeric group IDs",
        .instead = kRemovedUnlessAdded,
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-run-as-group",
        .scope = Scope::each_container,
        .field = "securityContext.runAsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = since(1, 25),
        .reason = "Windows has no numeric group IDs",
        .instead =
            "remove it and use ACLs to grant access to the account that the container runs as",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "ctr-run-as-non-root",
        .scope = Scope::each_container,
        .field = "securityContext.runAsNonRoot",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .versions = between({1, 14}, {1, 19}),
        .reason = "before 1.20 no Windows container starts with it, whatever its user",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add it",
        .source = "https://github.com/kubernetes/kubernetes/pull/92355",
    },
    {
        .id = "ctr-run-as-non-root",
        .scope = Scope::each_container,
        .field = "securityContext.runAsNonRoot",
        .forbids = nonroot_without_user,
        .versions = between({1, 20}, {1, 21}),
        .action = Action::warn,
        .reason = "an image without USER runs as ContainerAdministrator, which the kubelet does "
                  "not notice",
        .instead = "set windowsOptions.runAsUserName, such as ContainerUser",
        .source = "https://github.com/kubernetes/kubernetes/issues/112469",
    },
    {
        .id = "ctr-run-as-non-root",
        .scope = Scope::each_container,
        .field = "securityContext.runAsNonRoot",
        .forbids = nonroot_without_user,
        .unless = all_host_process,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "an image without USER runs as ContainerAdministrator, which the kubelet does "
                  "not notice",
        .instead = "set windowsOptions.runAsUserName, such as ContainerUser",
        .source = "https://github.com/kubernetes/kubernetes/issues/112469",
    },
});

}  // namespace winadmit::table
