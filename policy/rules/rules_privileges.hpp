// Rows about what a container may do: privileges, capabilities, writing to its root file system.
// Included by rules.cpp only.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kNoCapabilities = "Windows has no POSIX capabilities";
inline constexpr std::string_view kNoCapabilitiesToDrop =
    "Windows has no POSIX capabilities to drop";
inline constexpr std::string_view kNoControlOfPrivileges =
    "Windows has no setuid programs and no setting that controls whether a process can gain "
    "privileges";
inline constexpr std::string_view kHostProcessIgnoresIt =
    "HostProcess containers ignore it: their rights are those of their account";
inline constexpr std::string_view kAccountInstead =
    "remove it and choose the account by runAsUserName";
inline constexpr std::string_view kDropsNoneUnlessAsked =
    "debug with a profile that drops none (kubectl debug --profile=baseline), unless Pod "
    "Security asks for it";

inline constexpr auto kPrivilegeRules = std::to_array<Rule>({
    // ---- Privileges ----
    {
        .id = "privileged",
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
        .id = "privileged",
        .scope = Scope::each_container,
        .field = "securityContext.privileged",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .unless = all_host_process,
        .versions = since(1, 22),
        .reason = "Windows has no privileged containers",
        .instead = "remove it and administer the node from a HostProcess pod (hostProcess of all "
                   "its containers, and hostNetwork)",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "privileged",
        .scope = Scope::each_container,
        .field = "securityContext.privileged",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .only_if = all_host_process,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kHostProcessIgnoresIt,
        .instead = kAccountInstead,
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "allow-privilege-escalation",
        .scope = Scope::each_container,
        .field = "securityContext.allowPrivilegeEscalation",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = between({1, 14}, {1, 21}),
        .reason = kNoControlOfPrivileges,
        .instead = "remove it",
        .required_by_restricted = true,
        .source = sources::kKepContainer,
    },
    {
        .id = "allow-privilege-escalation",
        .scope = Scope::each_container,
        .field = "securityContext.allowPrivilegeEscalation",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .unless = all_host_process,
        .versions = between({1, 22}, {1, 24}),
        .reason = kNoControlOfPrivileges,
        .instead = "remove it",
        .instead_with_spec_os = kRemoveItOrSpecOs,
        .required_by_restricted = true,
        .source = sources::kKepContainer,
    },
    {
        .id = "allow-privilege-escalation",
        .scope = Scope::each_container,
        .field = "securityContext.allowPrivilegeEscalation",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .unless = all_host_process,
        .versions = since(1, 25),
        .reason = "Windows has no control of privilege escalation",
        .instead = "set spec.os.name: windows and remove Linux fields (else Pod Security wants "
                   "false)",
        .instead_with_spec_os = "remove it",
        .instead_in_ephemeral = "set it to false if Pod Security asks for it, else remove it",
        .required_by_restricted = true,
        .source = sources::kPodSecurityByOs,
    },

    {
        .id = "allow-privilege-escalation",
        .scope = Scope::each_container,
        .field = "securityContext.allowPrivilegeEscalation",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .only_if = all_host_process,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kHostProcessIgnoresIt,
        .instead = kAccountInstead,
        .source = sources::kDocsHostProcess,
    },

    // ---- Capabilities. The lists are reported; the empty object is reported only if the API
    // server refuses it. For an ephemeral container the action is warn: plain `kubectl debug` adds
    // SYS_PTRACE, so a denial would leave no way to debug a pod. ----
    {
        .id = "empty-capabilities",
        .scope = Scope::each_container,
        .field = "securityContext.capabilities",
        .forbids = never,
        .forbids_with_spec_os = neither_adds_nor_drops,
        .versions = since(1, 14),
        .reason = kNoCapabilities,
        .instead = "remove it, even if it is empty",
        .source = sources::kValidateWindows,
    },
    {
        .id = "capabilities-add",
        .scope = Scope::each_non_ephemeral,
        .field = "securityContext.capabilities.add",
        .forbids = nonempty_list,
        .unless = all_host_process,
        .versions = since(1, 14),
        .reason = kNoCapabilities,
        .instead = "remove it and grant the rights to the account that the container runs as",
        .source = sources::kKepContainer,
    },
    {
        .id = "capabilities-add",
        .scope = Scope::each_non_ephemeral,
        .field = "securityContext.capabilities.add",
        .forbids = nonempty_list,
        .forbids_with_spec_os = nonempty_list,
        .only_if = all_host_process,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kHostProcessIgnoresIt,
        .instead = kAccountInstead,
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "capabilities-add",
        .scope = Scope::each_ephemeral,
        .field = "securityContext.capabilities.add",
        .forbids = nonempty_list,
        .forbids_with_spec_os = nonempty_list,
        .versions = since(1, 16),
        .action = Action::warn,
        .reason = kNoCapabilities,
        .instead = "debug with a profile that adds none (kubectl debug --profile=baseline)",
        .source = sources::kDocsDebuggingProfiles,
    },
    {
        .id = "capabilities-drop",
        .scope = Scope::each_non_ephemeral,
        .field = "securityContext.capabilities.drop",
        .forbids = nonempty_list,
        .versions = between({1, 14}, {1, 21}),
        .reason = kNoCapabilitiesToDrop,
        .instead = kRemoveOrExempt,
        .required_by_restricted = true,
        .source = sources::kKepContainer,
    },
    {
        .id = "capabilities-drop",
        .scope = Scope::each_non_ephemeral,
        .field = "securityContext.capabilities.drop",
        .forbids = nonempty_list,
        .forbids_with_spec_os = nonempty_list,
        .versions = between({1, 22}, {1, 24}),
        .action = Action::warn,
        .reason = kNoCapabilitiesToDrop,
        .instead = kRemoveUnlessRestricted,
        .instead_with_spec_os = kRemoveItOrSpecOs,
        .required_by_restricted = true,
        .source = sources::kPodSecurityByOs,
    },
    {
        .id = "capabilities-drop",
        .scope = Scope::each_non_ephemeral,
        .field = "securityContext.capabilities.drop",
        .forbids = nonempty_list,
        .forbids_with_spec_os = nonempty_list,
        .versions = since(1, 25),
        .action = Action::warn,
        .reason = kNoCapabilitiesToDrop,
        .instead = kSetSpecOs,
        .instead_with_spec_os = "remove it",
        .required_by_restricted = true,
        .source = sources::kPodSecurityByOs,
    },
    {
        .id = "capabilities-drop",
        .scope = Scope::each_ephemeral,
        .field = "securityContext.capabilities.drop",
        .forbids = nonempty_list,
        .forbids_with_spec_os = nonempty_list,
        .versions = since(1, 16),
        .action = Action::warn,
        .reason = kNoCapabilitiesToDrop,
        .instead = kDropsNoneUnlessAsked,
        .instead_with_spec_os =
            "debug with a profile that drops none (kubectl debug --profile=baseline)",
        .instead_in_ephemeral = kDropsNoneUnlessAsked,
        .required_by_restricted = true,
        .source = sources::kDocsDebuggingProfiles,
    },

    // ---- The root file system ----
    {
        .id = "read-only-root-filesystem",
        .scope = Scope::each_container,
        .field = "securityContext.readOnlyRootFilesystem",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = between({1, 14}, {1, 24}),
        .reason = "the registry and system processes need write access",
        .instead = kRemoveOrExempt,
        .source = sources::kKepContainer,
    },
    {
        .id = "read-only-root-filesystem",
        .scope = Scope::each_container,
        .field = "securityContext.readOnlyRootFilesystem",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = since(1, 25),
        .reason = "the registry and system processes need write access",
        .instead = "remove it and mount data volumes with readOnly: true",
        .source = sources::kDocsPodSecurity,
    },
});

}  // namespace winadmit::table
