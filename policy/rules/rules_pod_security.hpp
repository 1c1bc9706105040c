// Rows about the securityContext of a pod. Included by rules.cpp only. Before 1.25 a
// PodSecurityPolicy may have added a field, so the rows for these releases mention it.
#pragma once

#include <array>

#include "policy/rules/predicates_users.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

inline constexpr auto kPodSecurityRules = std::to_array<Rule>({
    // ---- Users and groups ----
    {
        .id = "pod-run-as-user",
        .field = "securityContext.runAsUser",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 14}, {1, 16}),
        .reason = "Windows has no numeric user IDs",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add "
                   "it; set USER in the image",
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "pod-run-as-user",
        .field = "securityContext.runAsUser",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 17}, {1, 24}),
        .reason = "Windows has no numeric user IDs",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add "
                   "it; use windowsOptions.runAsUserName",
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "pod-run-as-user",
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
        .id = "pod-run-as-group",
        .field = "securityContext.runAsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 14}, {1, 24}),
        .reason = "Windows has no numeric group IDs",
        .instead = kRemovedUnlessAdded,
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "pod-run-as-group",
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
        .id = "pod-run-as-non-root",
        .field = "securityContext.runAsNonRoot",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .versions = between({1, 14}, {1, 19}),
        .reason = "before 1.20 no Windows container starts with it, whatever its user",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add it",
        .source = "https://github.com/kubernetes/kubernetes/pull/92355",
    },
    {
        .id = "pod-run-as-non-root",
        .field = "securityContext.runAsNonRoot",
        .forbids = nonroot_without_user_in_a_container,
        .versions = between({1, 20}, {1, 21}),
        .action = Action::warn,
        .reason = "an image without USER runs as ContainerAdministrator, which the kubelet does "
                  "not notice",
        .instead = "set windowsOptions.runAsUserName, such as ContainerUser",
        .source = "https://github.com/kubernetes/kubernetes/issues/112469",
    },
    {
        .id = "pod-run-as-non-root",
        .field = "securityContext.runAsNonRoot",
        .forbids = nonroot_without_user_in_a_container,
        .unless = all_host_process,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "an image without USER runs as ContainerAdministrator, which the kubelet does "
                  "not notice",
        .instead = "set windowsOptions.runAsUserName, such as ContainerUser",
        .source = "https://github.com/kubernetes/kubernetes/issues/112469",
    },
    {
        .id = "pod-supplemental-groups",
        .field = "securityContext.supplementalGroups",
        .forbids = nonempty_list,
        .forbids_with_spec_os = present_list,
        .versions = between({1, 14}, {1, 24}),
        .reason = "Windows has no numeric group IDs",
        .instead = kRemovedUnlessAdded,
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "pod-supplemental-groups",
        .field = "securityContext.supplementalGroups",
        .forbids = nonempty_list,
        .forbids_with_spec_os = present_list,
        .versions = since(1, 25),
        .reason = "Windows has no numeric group IDs",
        .instead = "remove it and grant access by ACLs (an OpenShift SCC adds it again unless "
                   "spec.os.name is windows)",
        .instead_with_spec_os = "remove it and grant access by ACLs",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "pod-supplemental-groups-policy",
        .field = "securityContext.supplementalGroupsPolicy",
        .forbids = one_of<"Strict">,
        .forbids_strict = one_of<"Strict">,
        .versions = between({1, 31}, {1, 32}),  // the feature gate is off, the field is dropped
        .action = Action::warn,
        .reason = "it applies to the groups of Linux users, which Windows does not have",
        .instead = "remove it",
        .source = "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/"
                  "#supplementalgroupspolicy",
    },
    {
        .id = "pod-supplemental-groups-policy",
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
        .id = "pod-supplemental-groups-policy",
        .field = "securityContext.supplementalGroupsPolicy",
        .forbids = one_of<"Merge">,
        .forbids_strict = none_of<"Strict">,
        .versions = between({1, 31}, {1, 32}),
        .action = Action::warn,
        .reason = "it applies to the groups of Linux users, which Windows does not have",
        .instead = "remove it",
        .source = "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/"
                  "#supplementalgroupspolicy",
    },
    {
        .id = "pod-supplemental-groups-policy",
        .field = "securityContext.supplementalGroupsPolicy",
        .forbids = one_of<"Merge">,
        .forbids_with_spec_os = none_of<"Strict">,
        .versions = since(1, 33),
        .action = Action::warn,
        .reason = "it applies to the groups of Linux users, which Windows does not have",
        .instead = "remove it",
        .source = "https://kubernetes.io/docs/tasks/configure-pod-container/security-context/"
                  "#supplementalgroupspolicy",
    },
    {
        .id = "pod-fs-group",
        .field = "securityContext.fsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = between({1, 14}, {1, 24}),
        .reason = "Windows volumes have no group owner to change",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may have "
                   "added it, and set NTFS ACLs on the volume",
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "pod-fs-group",
        .field = "securityContext.fsGroup",
        .forbids = present_integer,
        .forbids_with_spec_os = present_integer,
        .versions = since(1, 25),
        .reason = "Windows volumes have no group owner to change",
        .instead = "remove it and set NTFS ACLs on the volume (an OpenShift SCC adds it again "
                   "unless spec.os.name is windows)",
        .instead_with_spec_os = "remove it and set NTFS ACLs on the volume",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "pod-fs-group-change-policy",
        .field = "securityContext.fsGroupChangePolicy",
        .forbids = present_string,
        .forbids_with_spec_os = present_string,
        .versions = since(1, 18),
        .action = Action::warn,
        .reason = "Windows volumes have no group owner to change",
        .instead = "remove it",
        .source = sources::kDocsPodSecurity,
    },

    // ---- Kernel features of Linux ----
    {
        .id = "pod-selinux",
        .field = "securityContext.seLinuxOptions",
        .forbids = nonempty_object,
        .forbids_with_spec_os = present_object,
        .versions = between({1, 14}, {1, 24}),
        .reason = "SELinux does not exist on Windows",
        .instead = kRemovedUnlessAdded,
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "pod-selinux",
        .field = "securityContext.seLinuxOptions",
        .forbids = nonempty_object,
        .forbids_with_spec_os = present_object,
        .versions = since(1, 25),
        .reason = "SELinux does not exist on Windows",
        .instead = "remove it (an OpenShift SCC adds it again unless spec.os.name is windows)",
        .instead_with_spec_os = "remove it",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "pod-selinux-change-policy",
        .field = "securityContext.seLinuxChangePolicy",
        .forbids = present_string,
        .forbids_strict = present_string,
        .versions = between({1, 32}, {1, 32}),  // the feature gate is off, the field is dropped
        .action = Action::warn,
        .reason = "SELinux does not exist on Windows",
        .instead = "remove it",
        .source = sources::kValidateWindows,
    },
    {
        .id = "pod-selinux-change-policy",
        .field = "securityContext.seLinuxChangePolicy",
        .forbids = present_string,
        .forbids_with_spec_os = present_string,
        .versions = since(1, 33),
        .action = Action::warn,
        .reason = "SELinux does not exist on Windows",
        .instead = "remove it",
        .source = sources::kValidateWindows,
    },
    {
        .id = "pod-sysctls",
        .field = "securityContext.sysctls",
        .forbids = nonempty_list,
        .forbids_strict = present_list,
        .versions = between({1, 14}, {1, 28}),
        .reason = "Windows has no sysctl interface: the node ignores the safe sysctls and refuses "
                  "a pod with another one",
        .instead = "remove it and set the equivalent registry value in the image",
        .is_left_to_author = true,
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "pod-sysctls",
        .field = "securityContext.sysctls",
        .forbids = nonempty_list,
        .forbids_strict = present_list,
        .versions = since(1, 29),
        .reason = "Windows has no sysctl interface, and the kubelet refuses the pod",
        .instead = "remove it and set the equivalent registry value in the image",
        .is_left_to_author = true,
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/sysctl/"
                  "safe_sysctls.go",
    },
    {
        .id = "pod-seccomp",
        .field = "securityContext.seccompProfile",
        .forbids = typed<"Localhost">,
        .versions = between({1, 19}, {1, 24}),
        .reason = "Windows has no seccomp, so the profile would not confine anything",
        .instead = "use RuntimeDefault if Pod Security asks for it, else remove it",
        .instead_with_spec_os = "remove it",
        .is_asked_by_pod_security = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "pod-seccomp",
        .field = "securityContext.seccompProfile",
        .forbids = typed<"Localhost">,
        .versions = since(1, 25),
        .reason = "Windows has no seccomp and ignores the profile",
        .instead = kRemovedWithSpecOs,
        .instead_with_spec_os = "remove it",
        .is_asked_by_pod_security = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "pod-seccomp",
        .field = "securityContext.seccompProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = between({1, 19}, {1, 24}),
        .action = Action::warn,
        .reason = "Windows has no seccomp and ignores it",
        .instead = "remove it, unless Pod Security restricted requires it (from 1.25 not if "
                   "spec.os.name is windows)",
        .is_asked_by_pod_security = true,
        .source = sources::kPodSecurityByOs,
    },
    {
        .id = "pod-seccomp",
        .field = "securityContext.seccompProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = since(1, 25),
        .action = Action::warn,
        .reason = "Windows has no seccomp and ignores it",
        .instead = kRemovedWithSpecOs,
        .instead_with_spec_os = "remove it",
        .is_asked_by_pod_security = true,
        .source = sources::kPodSecurityByOs,
    },
    {
        .id = "pod-apparmor",
        .field = "securityContext.appArmorProfile",
        .forbids = typed<"Localhost">,
        .versions = since(1, 30),
        .reason = "Windows has no AppArmor, so the profile would not confine anything",
        .instead = "remove it and name an account with few rights in windowsOptions.runAsUserName",
        .source = sources::kValidateWindows,
    },
    {
        .id = "pod-apparmor",
        .field = "securityContext.appArmorProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = since(1, 30),
        .action = Action::warn,
        .reason = "Windows has no AppArmor and ignores it",
        .instead = "remove it",
        .source = sources::kValidateWindows,
    },

    // ---- windowsOptions ----
    {
        .id = "pod-windows-gmsa",
        .field = "securityContext.windowsOptions.{gmsaCredentialSpec,gmsaCredentialSpecName}",
        .forbids = nonempty_string,
        .versions = between({1, 15}, {1, 15}),
        .action = Action::warn,
        .reason = kGmsaIsAlpha,
        .instead = "enable the gate",
        .source = sources::kDocsGmsa,
    },
    {
        .id = "pod-windows-run-as",
        .field = "securityContext.windowsOptions.runAsUserName",
        .forbids = nonempty_string,
        .versions = between({1, 16}, {1, 16}),
        .action = Action::warn,
        .reason = "it is alpha in 1.16 and works only with the feature gate WindowsRunAsUserName",
        .instead = "enable the gate, or set USER in the image",
        .source =
            "https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/",
    },
});

}  // namespace winadmit::table
