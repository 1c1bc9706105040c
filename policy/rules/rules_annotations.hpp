// Rows about annotations, which alpha features used before they had fields. Included by rules.cpp
// only.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kCopiedToSeccompProfile =
    "the API server copies it into seccompProfile, and Windows has no seccomp";
inline constexpr std::string_view kRemoveOrExemptFromPolicy =
    "remove it, or exempt the pod from the PodSecurityPolicy that may add it";

inline constexpr auto kAnnotationRules = std::to_array<Rule>({
    // ---- seccomp. From 1.19 to 1.26 the API server copies the annotation into the field, which
    // has rows of its own: a webhook sees the field, `winadmit check` the annotation alone ----
    {
        .id = "annotation-seccomp",
        .scope = Scope::annotation,
        .field = "seccomp.security.alpha.kubernetes.io/pod",
        .forbids = none_of<"unconfined", "">,
        .versions = between({1, 14}, {1, 18}),
        .reason = "Windows has no seccomp",
        .instead = kRemoveOrExemptFromPolicy,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "annotation-seccomp",
        .scope = Scope::annotation,
        .field = "seccomp.security.alpha.kubernetes.io/pod",
        .forbids = localhost_profile,
        .versions = between({1, 19}, {1, 26}),
        .reason = kCopiedToSeccompProfile,
        .instead = "remove it",
        .source = sources::kPodStrategyTo126,
    },
    {
        .id = "annotation-seccomp",
        .scope = Scope::annotation,
        .field = "seccomp.security.alpha.kubernetes.io/pod",
        .forbids = profile_other_than_localhost,
        .forbids_with_spec_os = any_profile_other_than_localhost,
        .versions = between({1, 19}, {1, 26}),
        .action = Action::warn,
        .reason = kCopiedToSeccompProfile,
        .instead = "remove it, unless Pod Security asks for a profile",
        .instead_with_spec_os = "remove it",
        .required_by_restricted = true,
        .source = sources::kPodStrategyTo126,
    },
    {
        .id = "annotation-seccomp",
        .scope = Scope::annotation,
        .field = "seccomp.security.alpha.kubernetes.io/pod",
        .forbids = none_of<"unconfined", "">,
        .versions = since(1, 27),
        .action = Action::warn,
        .reason = kNoSeccomp,
        .instead = "remove it",
        .source = "https://kubernetes.io/docs/reference/labels-annotations-taints/"
                  "#seccomp-security-alpha-kubernetes-io-pod",
    },
    {
        .id = "annotation-seccomp",
        .scope = Scope::annotation,
        .field = "container.seccomp.security.alpha.kubernetes.io/*",
        .forbids = none_of<"unconfined", "">,
        .versions = between({1, 14}, {1, 18}),
        .reason = "Windows has no seccomp",
        .instead = kRemoveOrExemptFromPolicy,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "annotation-seccomp",
        .scope = Scope::annotation,
        .field = "container.seccomp.security.alpha.kubernetes.io/*",
        .forbids = localhost_profile,
        .versions = between({1, 19}, {1, 26}),
        .reason = kCopiedToSeccompProfile,
        .instead = "remove it",
        .source = sources::kPodStrategyTo126,
    },
    {
        .id = "annotation-seccomp",
        .scope = Scope::annotation,
        .field = "container.seccomp.security.alpha.kubernetes.io/*",
        .forbids = profile_other_than_localhost,
        .forbids_with_spec_os = any_profile_other_than_localhost,
        .versions = between({1, 19}, {1, 26}),
        .action = Action::warn,
        .reason = kCopiedToSeccompProfile,
        .instead = "remove it, unless Pod Security asks for a profile",
        .instead_with_spec_os = "remove it",
        .required_by_restricted = true,
        .source = sources::kPodStrategyTo126,
    },
    {
        .id = "annotation-seccomp",
        .scope = Scope::annotation,
        .field = "container.seccomp.security.alpha.kubernetes.io/*",
        .forbids = none_of<"unconfined", "">,
        .versions = since(1, 27),
        .action = Action::warn,
        .reason = kNoSeccomp,
        .instead = "remove it",
        .source = "https://kubernetes.io/docs/reference/labels-annotations-taints/"
                  "#container-seccomp-security-alpha-kubernetes-io",
    },

    // ---- AppArmor ----
    {
        .id = "annotation-apparmor",
        .scope = Scope::annotation,
        .field = "container.apparmor.security.beta.kubernetes.io/*",
        .forbids = none_of<"unconfined", "">,
        .versions = between({1, 14}, {1, 19}),
        .reason = "Windows has no AppArmor, and the kubelet refuses the pod",
        .instead = kRemoveOrExemptFromPolicy,
        .source = sources::kAppArmorOnLinuxOnly,
    },
    {
        .id = "annotation-apparmor",
        .scope = Scope::annotation,
        .field = "container.apparmor.security.beta.kubernetes.io/*",
        .forbids = none_of<"unconfined", "">,
        .versions = between({1, 20}, {1, 29}),
        .action = Action::warn,
        .reason = kNoAppArmor,
        .instead = "remove it",
        .source = sources::kAppArmorOnLinuxOnly,
    },
    // Since 1.30 the API server copies it into the field, unless spec.os.name is windows.
    {
        .id = "annotation-apparmor",
        .scope = Scope::annotation,
        .field = "container.apparmor.security.beta.kubernetes.io/*",
        .forbids = localhost_profile,
        .unless = spec_os_is_windows,
        .versions = since(1, 30),
        .reason = "the API server copies it into appArmorProfile, and Windows has no AppArmor",
        .instead = "remove it",
        .source = sources::kPodStrategy,
    },
    {
        .id = "annotation-apparmor",
        .scope = Scope::annotation,
        .field = "container.apparmor.security.beta.kubernetes.io/*",
        .forbids = localhost_profile,
        .only_if = spec_os_is_windows,
        .versions = since(1, 30),
        .action = Action::warn,
        .reason = kNoAppArmor,
        .instead = "remove it",
        .source = sources::kPodStrategy,
    },
    {
        .id = "annotation-apparmor",
        .scope = Scope::annotation,
        .field = "container.apparmor.security.beta.kubernetes.io/*",
        .forbids = profile_other_than_localhost,
        .versions = since(1, 30),
        .action = Action::warn,
        .reason = kNoAppArmor,
        .instead = "remove it",
        .source = sources::kPodStrategy,
    },

    // ---- Sysctls. No effect since 1.11, when they became a field ----
    {
        .id = "annotation-sysctls",
        .scope = Scope::annotation,
        .field = "security.alpha.kubernetes.io/sysctls",
        .forbids = nonempty_string,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "it has had no effect since 1.11, and Windows has no sysctl interface",
        .instead = "remove it",
        .source = sources::kSysctlFields,
    },
    {
        .id = "annotation-sysctls",
        .scope = Scope::annotation,
        .field = "security.alpha.kubernetes.io/unsafe-sysctls",
        .forbids = nonempty_string,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "it has had no effect since 1.11, and Windows has no sysctl interface",
        .instead = "remove it",
        .source = sources::kSysctlFields,
    },

    // ---- Hyper-V isolation ----
    {
        .id = "annotation-isolation-type",
        .scope = Scope::annotation,
        .field = "experimental.windows.kubernetes.io/isolation-type",
        .forbids = is_hyperv_with_several_containers,
        .versions = between({1, 14}, {1, 20}),
        .reason = "Hyper-V isolation works only for pods with a single container",
        .instead = "remove it, or split the pod",
        .source = sources::kHyperVContainers,
    },
    {
        .id = "annotation-isolation-type",
        .scope = Scope::annotation,
        .field = "experimental.windows.kubernetes.io/isolation-type",
        .forbids = is_isolation_that_may_start,
        .versions = between({1, 14}, {1, 20}),
        .action = Action::warn,
        .reason = "it is alpha and works only with the feature gate HyperVContainer on the node",
        .instead = "remove it, or make sure that the gate is on",
        .source = sources::kHyperVContainers,
    },
    {
        .id = "annotation-isolation-type",
        .scope = Scope::annotation,
        .field = "experimental.windows.kubernetes.io/isolation-type",
        .forbids = none_of<"process", "">,
        .versions = since(1, 21),
        .action = Action::warn,
        .reason = "since 1.21 it has no effect, and the pod has no Hyper-V isolation",
        .instead = "remove it and use a RuntimeClass for Hyper-V isolation",
        .source = "https://github.com/kubernetes/kubernetes/pull/95505",
    },

    // ---- gMSA ----
    {
        .id = "annotation-gmsa",
        .scope = Scope::annotation,
        .field = "pod.alpha.windows.kubernetes.io/gmsa-credential-spec",
        .forbids = nonempty_string,
        .versions = since(1, 15),
        .action = Action::warn,
        .reason = "since 1.15 nothing reads it, so the pod runs without the account",
        .instead = "move it to securityContext.windowsOptions.gmsaCredentialSpec",
        .source = sources::kGmsaFields,
    },
    {
        .id = "annotation-gmsa",
        .scope = Scope::annotation,
        .field = "pod.alpha.windows.kubernetes.io/gmsa-credential-spec-name",
        .forbids = nonempty_string,
        .versions = since(1, 15),
        .action = Action::warn,
        .reason = "since 1.15 nothing reads it, so the pod runs without the account",
        .instead = "move it to securityContext.windowsOptions.gmsaCredentialSpecName",
        .source = sources::kGmsaFields,
    },
    {
        .id = "annotation-gmsa",
        .scope = Scope::annotation,
        .field = "*.container.alpha.windows.kubernetes.io/gmsa-credential-spec",
        .forbids = nonempty_string,
        .versions = since(1, 15),
        .action = Action::warn,
        .reason = "since 1.15 nothing reads it",
        .instead = "move it to the container's securityContext.windowsOptions.gmsaCredentialSpec",
        .source = sources::kGmsaFields,
    },
    {
        .id = "annotation-gmsa",
        .scope = Scope::annotation,
        .field = "*.container.alpha.windows.kubernetes.io/gmsa-credential-spec-name",
        .forbids = nonempty_string,
        .versions = since(1, 15),
        .action = Action::warn,
        .reason = "since 1.15 nothing reads it",
        .instead =
            "move it to the container's securityContext.windowsOptions.gmsaCredentialSpecName",
        .source = sources::kGmsaFields,
    },
});

}  // namespace winadmit::table
