// Rows about Windows accounts and their credentials, in windowsOptions. Containers may inherit them
// from the pod. Included by rules.cpp only.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/predicates_users.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kRunAsOtherAccount = "run it as ContainerUser or another account";
inline constexpr std::string_view kNoAdminAsNonRoot =
    "ContainerAdministrator is not allowed with runAsNonRoot, so the kubelet will not start "
    "the container";

inline constexpr auto kAccountRules = std::to_array<Rule>({
    {
        .id = "nonroot-admin-conflict",
        .field = "securityContext",
        .forbids = pod_runs_admin_as_nonroot_by_exact_name,
        .versions = between({1, 20}, {1, 21}),
        .reason = kNoAdminAsNonRoot,
        .instead = kRunAsOtherAccount,
        .source = sources::kWindowsSecurityContextTo120,
    },
    {
        .id = "nonroot-admin-conflict",
        .field = "securityContext",
        .forbids = pod_runs_admin_as_nonroot_in_any_case,
        .versions = since(1, 22),
        .reason = kNoAdminAsNonRoot,
        .instead = kRunAsOtherAccount,
        .source = sources::kWindowsSecurityContext,
    },
    {
        .id = "nonroot-admin-conflict",
        .scope = Scope::each_container,
        .field = "securityContext",
        .forbids = runs_admin_as_nonroot_by_exact_name,
        .versions = between({1, 20}, {1, 21}),
        .reason = kNoAdminAsNonRoot,
        .instead = kRunAsOtherAccount,
        .source = sources::kWindowsSecurityContextTo120,
    },
    {
        .id = "nonroot-admin-conflict",
        .scope = Scope::each_container,
        .field = "securityContext",
        .forbids = runs_admin_as_nonroot_in_any_case,
        .versions = since(1, 22),
        .reason = kNoAdminAsNonRoot,
        .instead = kRunAsOtherAccount,
        .source = sources::kWindowsSecurityContext,
    },
    {
        .id = "host-process-user",
        .field = "securityContext.windowsOptions.hostProcess",
        .forbids = host_process_without_user_in_a_container,
        .unless = inherits_user,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "it runs as an account of the node, which most images do not name",
        .instead = "set runAsUserName beside it, such as NT AUTHORITY\\LocalService",
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
        .reason = "it runs as an account of the node, which most images do not name",
        .instead = "set runAsUserName beside it, such as NT AUTHORITY\\LocalService",
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "gmsa-credential-spec",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.windowsOptions.{gmsaCredentialSpec,gmsaCredentialSpecName}",
        .forbids = nonempty_string,
        .versions = between({1, 15}, {1, 15}),
        .action = Action::warn,
        .reason = kGmsaIsAlpha,
        .instead = "enable the gate",
        .source = sources::kDocsGmsa,
    },
    {
        .id = "host-process-gmsa",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.windowsOptions.{gmsaCredentialSpec,gmsaCredentialSpecName}",
        .forbids = nonempty_in_host_process_pod,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kHostProcessHasNoGmsa,
        .instead = "remove it, or run the container without hostProcess",
        .source = sources::kHcsshimTasks,
    },
    {
        .id = "host-process-nonroot",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.runAsNonRoot",
        .forbids = true_in_host_process_pod,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kHostProcessHasRights,
        .instead = "remove it, and choose the account by runAsUserName",
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "run-as-user-name",
        .scope = Scope::pod_and_containers,
        .field = "securityContext.windowsOptions.runAsUserName",
        .forbids = nonempty_string,
        .versions = between({1, 16}, {1, 16}),
        .action = Action::warn,
        .reason = "it is alpha in 1.16 and works only with the feature gate WindowsRunAsUserName",
        .instead = "enable the gate, or set USER in the image",
        .source = sources::kDocsRunAsUserName,
    },
});

}  // namespace winadmit::table
