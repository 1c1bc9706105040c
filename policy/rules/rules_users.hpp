// Rows about users and groups of Linux: IDs, and runAsNonRoot. Included by rules.cpp only. Before
// 1.25 a PodSecurityPolicy may have added a field, so the rows for these releases mention it.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/predicates_users.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kNoUserIds = "Windows has no numeric user IDs";
inline constexpr std::string_view kNoGroupIds = "Windows has no numeric group IDs";
inline constexpr std::string_view kRunsAsAdministrator =
    "an image without USER runs as ContainerAdministrator, which the kubelet does not notice";
inline constexpr std::string_view kSetUserName =
    "set windowsOptions.runAsUserName, such as ContainerUser";
inline constexpr std::string_view kNoGroupsOfUsers =
    "it applies to the groups of Linux users, which Windows does not have";
inline constexpr std::string_view kNoGroupOwner = "Windows volumes have no group owner to change";

inline constexpr auto kUserRules = std::to_array<Rule>({
    {
        .id = "run-as-user",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.runAsUser",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 14}, {1, 16}),
        .reason = kNoUserIds,
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add "
                   "it; set USER in the image",
        .source = sources::kKepApi,
    },
    {
        .id = "run-as-user",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.runAsUser",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 17}, {1, 24}),
        .reason = kNoUserIds,
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add "
                   "it; use windowsOptions.runAsUserName",
        .source = sources::kKepApi,
    },
    {
        .id = "run-as-user",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.runAsUser",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = since(1, 25),
        .reason = kNoUserIds,
        .instead = "remove it and use windowsOptions.runAsUserName (an OpenShift SCC adds it again "
                   "unless spec.os.name is windows)",
        .instead_with_spec_os = "remove it and use windowsOptions.runAsUserName",
        .is_set_by_scc = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "run-as-group",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.runAsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 14}, {1, 24}),
        .reason = kNoGroupIds,
        .instead = kRemoveOrExempt,
        .source = sources::kKepApi,
    },
    {
        .id = "run-as-group",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.runAsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = since(1, 25),
        .reason = kNoGroupIds,
        .instead =
            "remove it and use ACLs to grant access to the account that the container runs as",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "supplemental-groups",
        .field = "securityContext.supplementalGroups",
        .forbids = nonempty_list,
        .forbids_with_spec_os = present_list,
        .versions = between({1, 14}, {1, 24}),
        .reason = kNoGroupIds,
        .instead = kRemoveOrExempt,
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "supplemental-groups",
        .field = "securityContext.supplementalGroups",
        .forbids = nonempty_list,
        .forbids_with_spec_os = present_list,
        .versions = since(1, 25),
        .reason = kNoGroupIds,
        .instead = "remove it and grant access by ACLs (an OpenShift SCC adds it again unless "
                   "spec.os.name is windows)",
        .instead_with_spec_os = "remove it and grant access by ACLs",
        .is_set_by_scc = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "supplemental-groups-policy",
        .field = "securityContext.supplementalGroupsPolicy",
        .forbids = one_of<"Strict">,
        .forbids_strict = one_of<"Strict">,
        .versions = between({1, 31}, {1, 32}),  // the feature gate is off, the field is dropped
        .action = Action::warn,
        .reason = kNoGroupsOfUsers,
        .instead = "remove it",
        .source = sources::kDocsSupplementalGroupsPolicy,
    },
    {
        .id = "supplemental-groups-policy",
        .field = "securityContext.supplementalGroupsPolicy",
        .forbids = one_of<"Strict">,
        .versions = since(1, 33),
        .reason = "Windows users have no supplemental groups: a node with containerd 1 refuses the "
                  "pod, and containerd 2 ignores the policy",
        .instead = "remove it",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/"
                  "predicate.go",
    },
    {
        .id = "supplemental-groups-policy",
        .field = "securityContext.supplementalGroupsPolicy",
        .forbids = one_of<"Merge">,
        .forbids_strict = none_of<"Strict">,
        .versions = between({1, 31}, {1, 32}),
        .action = Action::warn,
        .reason = kNoGroupsOfUsers,
        .instead = "remove it",
        .source = sources::kDocsSupplementalGroupsPolicy,
    },
    {
        .id = "supplemental-groups-policy",
        .field = "securityContext.supplementalGroupsPolicy",
        .forbids = one_of<"Merge">,
        .forbids_with_spec_os = none_of<"Strict">,
        .versions = since(1, 33),
        .action = Action::warn,
        .reason = kNoGroupsOfUsers,
        .instead = "remove it",
        .source = sources::kDocsSupplementalGroupsPolicy,
    },
    {
        .id = "fs-group",
        .field = "securityContext.fsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 14}, {1, 24}),
        .reason = kNoGroupOwner,
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may have "
                   "added it, and set NTFS ACLs on the volume",
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "fs-group",
        .field = "securityContext.fsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = since(1, 25),
        .reason = kNoGroupOwner,
        .instead = "remove it and set NTFS ACLs on the volume (an OpenShift SCC adds it again "
                   "unless spec.os.name is windows)",
        .instead_with_spec_os = "remove it and set NTFS ACLs on the volume",
        .is_set_by_scc = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "fs-group-change-policy",
        .field = "securityContext.fsGroupChangePolicy",
        .forbids = present_string,
        .forbids_with_spec_os = present_string,
        .versions = since(1, 18),
        .action = Action::warn,
        .reason = kNoGroupOwner,
        .instead = "remove it",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "run-as-non-root",
        .field = "securityContext.runAsNonRoot",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .versions = between({1, 14}, {1, 19}),
        .reason = "before 1.20 no Windows container starts with it, whatever its user",
        .instead = kRemoveOrExempt,
        .source = sources::kRunAsNonRootOnWindows,
    },
    {
        .id = "run-as-non-root",
        .field = "securityContext.runAsNonRoot",
        .forbids = nonroot_without_user_in_a_container,
        .unless = all_host_process,
        .versions = since(1, 20),
        .action = Action::warn,
        .reason = kRunsAsAdministrator,
        .instead = kSetUserName,
        .source = sources::kImageWithoutUser,
    },
    {
        .id = "run-as-non-root",
        .scope = Scope::each_container,
        .field = "securityContext.runAsNonRoot",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .versions = between({1, 14}, {1, 19}),
        .reason = "before 1.20 no Windows container starts with it, whatever its user",
        .instead = kRemoveOrExempt,
        .source = sources::kRunAsNonRootOnWindows,
    },
    {
        .id = "run-as-non-root",
        .scope = Scope::each_container,
        .field = "securityContext.runAsNonRoot",
        .forbids = nonroot_without_user,
        .unless = all_host_process,
        .versions = since(1, 20),
        .action = Action::warn,
        .reason = kRunsAsAdministrator,
        .instead = kSetUserName,
        .source = sources::kImageWithoutUser,
    },
});

}  // namespace winadmit::table
