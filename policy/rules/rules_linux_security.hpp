// Rows about security modules of the Linux kernel in the securityContext of a container. Included
// by rules.cpp only.
#pragma once

#include <array>

#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

inline constexpr auto kLinuxSecurityRules = std::to_array<Rule>({
    {
        .id = "ctr-selinux",
        .scope = Scope::each_container,
        .field = "securityContext.seLinuxOptions",
        .forbids = nonempty_object,
        .forbids_with_spec_os = present_object,
        .versions = between({1, 14}, {1, 24}),
        .reason = "SELinux does not exist on Windows",
        .instead = kRemovedUnlessAdded,
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
        .instead = "remove it (an OpenShift SCC adds it again unless spec.os.name is windows)",
        .instead_with_spec_os = "remove it",
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "ctr-seccomp",
        .scope = Scope::each_container,
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
        .id = "ctr-seccomp",
        .scope = Scope::each_container,
        .field = "securityContext.seccompProfile",
        .forbids = typed<"Localhost">,
        .versions = since(1, 25),
        .reason = "Windows has no seccomp and ignores the profile",
        .instead = kRemovedWithSpecOs,
        .instead_with_spec_os = "remove it",
        .instead_in_ephemeral = "use RuntimeDefault if Pod Security asks for it, else remove it",
        .is_asked_by_pod_security = true,
        .source = sources::kDocsPodSecurity,
    },
    {
        .id = "ctr-seccomp",
        .scope = Scope::each_container,
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
        .id = "ctr-seccomp",
        .scope = Scope::each_container,
        .field = "securityContext.seccompProfile",
        .forbids = typed<"RuntimeDefault">,
        .forbids_with_spec_os = typed_other_than<"Localhost">,
        .versions = since(1, 25),
        .action = Action::warn,
        .reason = "Windows has no seccomp and ignores it",
        .instead = kRemovedWithSpecOs,
        .instead_with_spec_os = "remove it",
        .instead_in_ephemeral = "remove it, unless Pod Security asks for it",
        .is_asked_by_pod_security = true,
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
