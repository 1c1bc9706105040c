// Rows about containers apart from their securityContext (resources, devices, mounts, ports), and
// about the pod fields that belong to these. Included by rules.cpp only.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/predicates_paths.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kMountOverDrive =
    "a container does not start with a mount over its C: drive";
inline constexpr std::string_view kMountElsewhere =
    "mount the volume into a directory, or as another drive such as D:";
inline constexpr std::string_view kNoSuchProgram =
    "Windows images have no such program unless they add it";

inline constexpr auto kContainerRules = std::to_array<Rule>({
    // ---- Resources and devices ----
    {
        .id = "hugepages",
        .scope = Scope::each_container,
        .field = "resources.{limits,requests}",
        .forbids = has_hugepages,
        .versions = since(1, 14),
        .reason = "no Windows node offers huge pages, so the pod would stay Pending",
        .instead = "remove it",
        .source = sources::kDocsContainer,
    },
    {
        .id = "resource-claims",
        .scope = Scope::pod,
        .field = "resourceClaims",
        .forbids = nonempty_list,
        .versions = since(1, 26),
        .action = Action::warn,
        .reason =
            "the kubelet on Windows does not prepare devices of DRA: the pod stays Pending or "
            "runs without the device",
        .instead = "use a device plugin and its extended resource",
        .source = sources::kContainerManager,
    },
    {
        .id = "resource-claims",
        .scope = Scope::each_container,
        .field = "resources.claims",
        .forbids = nonempty_list,
        .versions = since(1, 26),
        .action = Action::warn,
        .reason =
            "the kubelet on Windows does not prepare devices of DRA: the pod stays Pending or "
            "runs without the device",
        .instead = "use a device plugin and its extended resource",
        .source = sources::kContainerManager,
    },
    {
        .id = "pod-resources",
        .scope = Scope::pod,
        .field = "resources",
        .forbids = has_requests_or_limits,
        .versions = between({1, 32}, {1, 33}),
        .action = Action::warn,
        .reason = "they are alpha before 1.34, and the kubelet of a Windows node ignores them",
        .instead = "set them on each container",
        .needs_manual_fix = true,
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.33.5/pkg/kubelet/kuberuntime/"
                  "kuberuntime_container_windows.go",
    },
    {
        .id = "pod-resources",
        .scope = Scope::pod,
        .field = "resources",
        .forbids = has_requests_or_limits,
        .forbids_with_spec_os = present_object,
        .versions = since(1, 34),
        .reason = "the kubelet of a Windows node refuses a pod with pod-level resources",
        .instead = "set them on each container",
        .needs_manual_fix = true,
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/"
                  "features_windows.go",
    },
    {
        .id = "volume-devices",
        .scope = Scope::each_container,
        .field = "volumeDevices",
        .forbids = nonempty_list,
        .forbids_strict = present_list,
        .versions = since(1, 14),
        .reason = "raw block volumes cannot be attached to Windows containers",
        .instead = "remove it and mount a volume with an NTFS file system in volumeMounts",
        .source = sources::kKepPod,
    },

    // ---- Mounts ----
    {
        .id = "mount-propagation",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].mountPropagation",
        .forbids = one_of<"HostToContainer", "Bidirectional">,
        .forbids_strict = present_string,
        .versions = since(1, 14),
        .reason = "every mount of a Windows container is private",
        .instead = "remove it",
        .source = sources::kKepPod,
    },
    {
        .id = "mount-drive",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].mountPath",
        .forbids = one_of<"C:", "c:">,
        .versions = since(1, 14),
        .reason = kMountOverDrive,
        .instead = kMountElsewhere,
        .source = sources::kContainerdMounts,
    },
    {
        .id = "mount-drive",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].mountPath",
        .forbids = root_of_c,
        .unless = all_host_process,
        .versions = since(1, 14),
        .reason = kMountOverDrive,
        .instead = kMountElsewhere,
        .source = sources::kContainerdMountTests,
    },
    {
        .id = "host-process-pipe",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].name",
        .forbids = names_a_pipe_of_host_process,
        .versions = since(1, 22),
        .reason =
            "a named pipe cannot be mounted into a HostProcess container, which would not start",
        .instead = "remove the mount and open the pipe of the node by its path",
        .source = "https://github.com/microsoft/hcsshim/blob/v0.13.0/internal/jobcontainers/"
                  "mounts.go",
    },
    {
        .id = "sub-path",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].{subPath,subPathExpr}",
        .forbids = nonempty_string,
        .versions = between({1, 14}, {1, 19}),
        .reason = "Docker on Windows can only mount a whole volume",
        .instead =
            "mount the whole volume into its own directory, and select single keys with items",
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "sub-path-outside",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].{subPath,subPathExpr}",
        .forbids = leaves_volume,
        .versions = between({1, 20}, {1, 29}),
        .reason =
            "the kubelet of a Windows node starts no container with a path outside the volume",
        .instead = "use a path inside the volume, such as logs\\app",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.29.14/pkg/kubelet/"
                  "kubelet_pods.go",
    },
    {
        .id = "sub-path-outside",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].{subPath,subPathExpr}",
        .forbids = leaves_volume_or_is_rooted,
        .versions = since(1, 30),
        .reason = "a Windows node starts no container with a path outside the volume, nor with an "
                  "absolute one",
        .instead = "use a path inside the volume, such as logs\\app",
        .source = "https://github.com/kubernetes/kubernetes/pull/124084",
    },
    {
        .id = "recursive-read-only",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].recursiveReadOnly",
        .forbids = one_of<"Enabled">,
        .forbids_strict = present_string,
        .versions = between({1, 30}, {1, 30}),
        .action = Action::warn,
        .reason = "no Windows runtime has recursive read-only mounts, and the API server drops it "
                  "unless its gate is on",
        .instead = "remove it and set only readOnly: true",
        .source = sources::kDocsRecursiveReadOnly,
    },
    {
        .id = "recursive-read-only",
        .scope = Scope::each_container,
        .field = "volumeMounts[*].recursiveReadOnly",
        .forbids = one_of<"Enabled">,
        .forbids_strict = present_string,
        .versions = since(1, 31),
        .reason =
            "no Windows runtime has recursive read-only mounts, so the container would not start",
        .instead = "remove it and set only readOnly: true",
        .source = sources::kDocsRecursiveReadOnly,
    },

    // ---- Commands ----
    {
        .id = "linux-command",
        .scope = Scope::each_container,
        .field = "command",
        .forbids = starts_linux_program,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = kNoSuchProgram,
        .instead = "start a program of the image, such as cmd /c",
        .source = sources::kDocsApi,
    },
    {
        .id = "linux-command",
        .scope = Scope::each_container,
        .field = "{livenessProbe,readinessProbe,startupProbe}.exec.command",
        .forbids = starts_linux_program,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = kNoSuchProgram,
        .instead = "start a program of the image, such as cmd /c, or use httpGet",
        .source = sources::kDocsApi,
    },
    {
        .id = "linux-command",
        .scope = Scope::each_container,
        .field = "lifecycle.{postStart,preStop}.exec.command",
        .forbids = starts_linux_program,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = kNoSuchProgram,
        .instead = "start a program of the image, such as cmd /c",
        .source = sources::kDocsApi,
    },

    // ---- Other fields ----
    {
        .id = "termination-message-path",
        .scope = Scope::each_container,
        .field = "terminationMessagePath",
        .forbids = none_of<"/dev/termination-log", "">,
        .unless = all_host_process,  // they need containerd
        .versions = between({1, 14}, {1, 23}),
        .action = Action::warn,
        .reason = "Docker cannot mount single files on Windows, so the file is never read",
        .instead = "remove it and set terminationMessagePolicy: FallbackToLogsOnError",
        .source = sources::kDockerTerminationMessage,
    },
    {
        .id = "ports-protocol",
        .scope = Scope::each_container,
        .field = "ports[*].protocol",
        .forbids = one_of<"SCTP">,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "Windows nodes do not support SCTP",
        .instead = "use TCP or UDP",
        .source = "https://kubernetes.io/docs/reference/networking/service-protocols/"
                  "#protocol-sctp",
    },
    {
        .id = "target-container-name",
        .scope = Scope::each_ephemeral,
        .field = "targetContainerName",
        .forbids = nonempty_string,
        .unless = all_host_process,
        .versions = since(1, 23),
        .action = Action::warn,
        .reason =
            "Windows containers do not share processes, so the container starts without its target",
        .instead = "debug without --target, or use a HostProcess container on the node",
        .source = sources::kKepPod,
    },
    {
        .id = "target-container-name",
        .scope = Scope::each_ephemeral,
        .field = "targetContainerName",
        .forbids = nonempty_string,
        .only_if = all_host_process,
        .versions = since(1, 23),
        .action = Action::warn,
        .reason = kHostProcessSeesAll,
        .instead = "debug without --target",
        .source = sources::kDocsHostProcess,
    },
});

}  // namespace winadmit::table
