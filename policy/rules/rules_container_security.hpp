// Rows about the securityContext of a container. Included by rules.cpp only.
#pragma once

#include <array>

#include "policy/rules/rule.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

inline constexpr auto kContainerSecurityRules = std::to_array<Rule>({
    // ---- Privileges ----
    {
        .id = "ctr-privileged",
        .scope = Scope::each_container,
        .field = "securityContext.privileged",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no privileged containers",
        .instead = "remove it and administer the node from outside the cluster",
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-privileged",
        .scope = Scope::each_container,
        .field = "securityContext.privileged",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = since(1, 22),
        .reason = "Windows has no privileged containers",
        .instead = "remove it and use a HostProcess container to administer the node "
                   "(windowsOptions.hostProcess)",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "ctr-ape",
        .scope = Scope::each_container,
        .field = "securityContext.allowPrivilegeEscalation",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = since(1, 14),
        .reason = "Windows has no setuid programs and no setting that controls whether a process "
                  "can gain privileges",
        .instead = "remove it; Pod Security does not require it if spec.os.name is windows",
        .source = sources::kKepContainer,
    },

    // ---- Capabilities. The lists are reported; the empty object is reported only if the API
    // server refuses it. For an ephemeral container the action is warn: plain `kubectl debug` adds
    // SYS_PTRACE, so a denial would leave no way to debug a pod. ----
    {
        .id = "ctr-caps",
        .scope = Scope::each_container,
        .field = "securityContext.capabilities",
        .forbids = never,
        .forbids_with_spec_os = neither_adds_nor_drops,
        .versions = since(1, 14),
        .reason = "Windows has no POSIX capabilities",
        .instead = "remove it, even if it is empty",
        .source = sources::kValidateWindows,
    },
    {
        .id = "ctr-caps-add",
        .scope = Scope::each_main,
        .field = "securityContext.capabilities.add",
        .forbids = nonempty_list,
        .versions = since(1, 14),
        .reason = "Windows has no POSIX capabilities",
        .instead = "remove it and grant the rights to the account that the container runs as",
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-caps-add",
        .scope = Scope::each_ephemeral,
        .field = "securityContext.capabilities.add",
        .forbids = nonempty_list,
        .forbids_with_spec_os = nonempty_list,
        .versions = since(1, 16),
        .action = Action::warn,
        .reason = "Windows has no POSIX capabilities",
        .instead = "debug with a profile that adds none (kubectl debug --profile=baseline)",
        .source = "https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/"
                  "#debugging-profiles",
    },
    {
        .id = "ctr-caps-drop",
        .scope = Scope::each_main,
        .field = "securityContext.capabilities.drop",
        .forbids = nonempty_list,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no POSIX capabilities to drop",
        .instead =
            "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may have added it",
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-caps-drop",
        .scope = Scope::each_main,
        .field = "securityContext.capabilities.drop",
        .forbids = nonempty_list,
        .forbids_with_spec_os = nonempty_list,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "Windows has no POSIX capabilities to drop",
        .instead = "remove it; Pod Security does not require it if spec.os.name is windows",
        .source = sources::kPodSecurityByOs,
    },
    {
        .id = "ctr-caps-drop",
        .scope = Scope::each_ephemeral,
        .field = "securityContext.capabilities.drop",
        .forbids = nonempty_list,
        .forbids_with_spec_os = nonempty_list,
        .versions = since(1, 16),
        .action = Action::warn,
        .reason = "Windows has no POSIX capabilities to drop",
        .instead = "debug with a profile that drops none (kubectl debug --profile=baseline)",
        .source = "https://kubernetes.io/docs/tasks/debug/debug-application/debug-running-pod/"
                  "#debugging-profiles",
    },

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
        .versions = between({1, 14}, {1, 24}),
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
        .versions = since(1, 25),
        .reason = "Windows has no numeric user IDs",
        .instead =
            "remove it and name the user in windowsOptions.runAsUserName or with USER in the image",
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
        .instead =
            "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may have added it",
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
        .reason = "before 1.20 the kubelet refuses every image that names its user",
        .instead = "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may add it",
        .source = "https://github.com/kubernetes/website/pull/30256",
    },
    {
        .id = "ctr-run-as-non-root",
        .scope = Scope::each_container,
        .field = "securityContext.runAsNonRoot",
        .forbids = nonroot_without_user,
        .unless = all_host_process,
        .versions = since(1, 20),
        .action = Action::warn,
        .reason = "an image without USER runs as ContainerAdministrator, which the kubelet "
                  "does not notice",
        .instead = "set windowsOptions.runAsUserName too, for example to ContainerUser",
        .source = "https://github.com/kubernetes/kubernetes/issues/112469",
    },
    {
        .id = "nonroot-admin-conflict",
        .scope = Scope::each_container,
        .field = "",
        .forbids = runs_admin_as_nonroot,
        .versions = since(1, 16),
        .reason = "runAsNonRoot forbids ContainerAdministrator, so the kubelet will not start the "
                  "container",
        .instead = "run it as ContainerUser or another account",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/kubelet/kuberuntime/"
                  "security_context_windows.go",
    },
    {
        .id = "host-process-user",
        .field = "securityContext.windowsOptions.hostProcess",
        .forbids = host_process_without_user_in_a_container,
        .unless = inherits_user,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "a HostProcess container needs an account of the node, and does not start as the "
                  "user of most images",
        .instead = "set runAsUserName beside it, for example to NT AUTHORITY\\LocalService, or to "
                   "NT AUTHORITY\\SYSTEM for all rights",
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "host-process-user",
        .scope = Scope::each_container,
        .field = "securityContext.windowsOptions.hostProcess",
        .forbids = host_process_without_user,
        .unless = inherits_user,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "a HostProcess container needs an account of the node, and does not start as the "
                  "user of most images",
        .instead = "set runAsUserName beside it, for example to NT AUTHORITY\\LocalService, or to "
                   "NT AUTHORITY\\SYSTEM for all rights",
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "ctr-windows-run-as",
        .scope = Scope::each_container,
        .field = "securityContext.windowsOptions.runAsUserName",
        .forbids = nonempty_string,
        .versions = between({1, 16}, {1, 16}),
        .action = Action::warn,
        .reason = "it is alpha in 1.16 and works only with the feature gate WindowsRunAsUserName",
        .instead = "enable the gate, or set USER in the image",
        .source =
            "https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/",
    },

    // ---- Kernel features of Linux ----
    {
        .id = "ctr-selinux",
        .scope = Scope::each_container,
        .field = "securityContext.seLinuxOptions",
        .forbids = nonempty_object,
        .forbids_with_spec_os = present_object,
        .versions = between({1, 14}, {1, 24}),
        .reason = "SELinux does not exist on Windows",
        .instead =
            "remove it, or exempt the pod from the PodSecurityPolicy or SCC that may have added it",
        .source = sources::kKepContainer,
    },
    {
        .id = "ctr-selinux",
        .scope = Scope::each_container,
        .field = "securityContext.seLinuxOptions",
        .forbids = nonempty_object,
        .forbids_with_spec_os = present_object,
        .versions = since(1, 25),
        .reason = "SELinux does not exist on Windows",
        .instead = "remove it",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "ctr-seccomp",
        .scope = Scope::each_container,
        .field = "securityContext.seccompProfile",
        .forbids = typed<"Localhost">,
        .versions = since(1, 19),
        .reason = "Windows has no seccomp, so the profile would not confine anything",
        .instead = "remove it and name an account with few rights in windowsOptions.runAsUserName",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "ctr-seccomp",
        .scope = Scope::each_container,
        .field = "securityContext.seccompProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = since(1, 19),
        .action = Action::warn,
        .reason = "Windows has no seccomp and ignores it",
        .instead = "remove it; Pod Security does not require it if spec.os.name is windows",
        .source = sources::kPodSecurityByOs,
    },
    {
        .id = "ctr-apparmor",
        .scope = Scope::each_container,
        .field = "securityContext.appArmorProfile",
        .forbids = typed<"Localhost">,
        .versions = since(1, 30),
        .reason = "Windows has no AppArmor, so the profile would not confine anything",
        .instead = "remove it and name an account with few rights in windowsOptions.runAsUserName",
        .source = sources::kValidateWindows,
    },
    {
        .id = "ctr-apparmor",
        .scope = Scope::each_container,
        .field = "securityContext.appArmorProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = since(1, 30),
        .action = Action::warn,
        .reason = "Windows has no AppArmor and ignores it",
        .instead = "remove it",
        .source = sources::kValidateWindows,
    },
});

}  // namespace winadmit::table
