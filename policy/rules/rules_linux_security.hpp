// Rows about security features of the Linux kernel: SELinux, seccomp, AppArmor, sysctls and /proc.
// Included by rules.cpp only. Before 1.25 a PodSecurityPolicy may have added a field, so the rows
// for these releases mention it.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kNoSeLinux = "SELinux does not exist on Windows";
inline constexpr std::string_view kRuntimeDefaultIfAsked =
    "use RuntimeDefault if Pod Security asks for it, else remove it";

inline constexpr auto kLinuxSecurityRules = std::to_array<Rule>({
    {
        .id = "selinux-options",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.seLinuxOptions",
        .forbids = has_selinux_options,
        .forbids_with_spec_os = present_object,
        .versions = between({1, 14}, {1, 24}),
        .reason = kNoSeLinux,
        .instead = kRemoveOrExempt,
        .source = sources::kKepApi,
    },
    {
        .id = "selinux-options",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.seLinuxOptions",
        .forbids = has_selinux_options,
        .forbids_with_spec_os = present_object,
        .versions = since(1, 25),
        .reason = kNoSeLinux,
        .instead = "remove it (an OpenShift SCC adds it again unless spec.os.name is windows)",
        .instead_with_spec_os = "remove it",
        .is_set_by_scc = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "selinux-change-policy",
        .field = "securityContext.seLinuxChangePolicy",
        .forbids = present_string,
        .forbids_strict = present_string,
        .versions = between({1, 32}, {1, 32}),  // the feature gate is off, the field is dropped
        .action = Action::warn,
        .reason = kNoSeLinux,
        .instead = "remove it",
        .source = sources::kValidateWindows,
    },
    {
        .id = "selinux-change-policy",
        .field = "securityContext.seLinuxChangePolicy",
        .forbids = present_string,
        .forbids_with_spec_os = present_string,
        .versions = since(1, 33),
        .action = Action::warn,
        .reason = kNoSeLinux,
        .instead = "remove it",
        .source = sources::kValidateWindows,
    },
    {
        .id = "seccomp-profile",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.seccompProfile",
        .forbids = typed<"Localhost">,
        .versions = between({1, 19}, {1, 24}),
        .reason = "Windows has no seccomp, so the profile would not confine anything",
        .instead = kRuntimeDefaultIfAsked,
        .instead_with_spec_os = kRemoveItOrSpecOs,
        .required_by_restricted = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "seccomp-profile",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.seccompProfile",
        .forbids = typed<"Localhost">,
        .versions = since(1, 25),
        .reason = "Windows has no seccomp and ignores the profile",
        .instead = kSetSpecOs,
        .instead_with_spec_os = "remove it",
        .instead_in_ephemeral = kRuntimeDefaultIfAsked,
        .required_by_restricted = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "seccomp-profile",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.seccompProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = between({1, 19}, {1, 24}),
        .action = Action::warn,
        .reason = kNoSeccomp,
        .instead = kRemoveUnlessRestricted,
        .instead_with_spec_os = kRemoveItOrSpecOs,
        .required_by_restricted = true,
        .source = sources::kPodSecurityByOs,
    },
    {
        .id = "seccomp-profile",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.seccompProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = since(1, 25),
        .action = Action::warn,
        .reason = kNoSeccomp,
        .instead = kSetSpecOs,
        .instead_with_spec_os = "remove it",
        .instead_in_ephemeral = "remove it, unless Pod Security asks for it",
        .required_by_restricted = true,
        .source = sources::kPodSecurityByOs,
    },
    {
        .id = "apparmor-profile",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.appArmorProfile",
        .forbids = typed<"Localhost">,
        .versions = since(1, 30),
        .reason = "Windows has no AppArmor, so the profile would not confine anything",
        .instead = kRunWithFewRights,
        .source = sources::kValidateWindows,
    },
    {
        .id = "apparmor-profile",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.appArmorProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = since(1, 30),
        .action = Action::warn,
        .reason = kNoAppArmor,
        .instead = "remove it",
        .source = sources::kValidateWindows,
    },
    {
        .id = "sysctls",
        .field = "securityContext.sysctls",
        .forbids = nonempty_list,
        .forbids_strict = present_list,
        .versions = between({1, 14}, {1, 28}),
        .reason = "Windows has no sysctl interface: the node ignores the safe sysctls and refuses "
                  "a pod with another one",
        .instead = "remove it and set the equivalent registry value in the image",
        .needs_manual_fix = true,
        .source = sources::kKepPodSecurity,
    },
    {
        .id = "sysctls",
        .field = "securityContext.sysctls",
        .forbids = nonempty_list,
        .forbids_strict = present_list,
        .versions = since(1, 29),
        .reason = "Windows has no sysctl interface, and the kubelet refuses the pod",
        .instead = "remove it and set the equivalent registry value in the image",
        .needs_manual_fix = true,
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/sysctl/"
                  "safe_sysctls.go",
    },
    {
        .id = "proc-mount",
        .scope = Scope::each_container,
        .field = "securityContext.procMount",
        .forbids = none_of<"Default", "">,
        .forbids_with_spec_os = present_string,
        .versions = since(1, 14),
        .reason = "Windows has no /proc file system",
        .instead = "remove it",
        .source = sources::kKepContainer,
    },
});

}  // namespace winadmit::table
