// Rows about the files, host paths and pipes of volumes. Included by rules.cpp only.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/predicates_paths.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kNoIdsForAMode =
    "Windows has no UIDs and GIDs for a file mode to apply to";
inline constexpr std::string_view kModeProtectsNothing =
    "a mode protects nothing on Windows: files get the ACLs of the kubelet's folder";
inline constexpr std::string_view kProtectedOnTheNode =
    "remove it and protect secrets by ACLs or BitLocker on the node";

inline constexpr std::string_view kCheckOfHostPath =
    "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/hostpath/host_path.go";

inline constexpr auto kVolumeRules = std::to_array<Rule>({
    // ---- Files that Kubernetes writes ----
    {
        .id = "empty-dir-medium",
        .field = "volumes[*].emptyDir.medium",
        .forbids = one_of<"Memory">,
        .versions = since(1, 14),
        .reason =
            "Windows has no RAM disk (tmpfs), so the data would be written to the disk of the node",
        .instead = "remove it if the data may be on disk",
        .source = sources::kDocsPod,
    },
    {
        .id = "empty-dir-medium",
        .field = "volumes[*].emptyDir.medium",
        .forbids = none_of<"Memory", "">,
        .versions = since(1, 14),
        .reason = "Windows has no huge pages, so the volume cannot be mounted",
        .instead = "remove it",
        .source = sources::kDocsPod,
    },
    {
        .id = "default-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI,projected}.defaultMode",
        .forbids = not_mode_0644,
        .versions = between({1, 14}, {1, 21}),
        .reason = kNoIdsForAMode,
        .instead = kProtectedOnTheNode,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "default-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI,projected}.defaultMode",
        .forbids = not_mode_0644,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kModeProtectsNothing,
        .instead = kProtectedOnTheNode,
        .source = sources::kDocsStorage,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = between({1, 14}, {1, 21}),
        .reason = kNoIdsForAMode,
        .instead = kProtectedOnTheNode,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kModeProtectsNothing,
        .instead = kProtectedOnTheNode,
        .source = sources::kDocsStorage,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].projected.sources[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = between({1, 14}, {1, 21}),
        .reason = kNoIdsForAMode,
        .instead = kProtectedOnTheNode,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].projected.sources[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kModeProtectsNothing,
        .instead = kProtectedOnTheNode,
        .source = sources::kProjectedOnWindows,
    },
    {
        .id = "host-path-linux",
        .field = "volumes[*].hostPath.path",
        .forbids = linux_path,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason =
            "Windows nodes do not have this path: the folder is empty, or the pod does not start",
        .instead = "remove the volume, or mount the folder or named pipe of Windows instead",
        .source = sources::kContainerdMounts,
    },
    {
        .id = "host-path-type",
        .field = "volumes[*].hostPath.type",
        .forbids = one_of<"File", "FileOrCreate">,
        .versions = between({1, 14}, {1, 19}),
        .reason = "Docker on Windows cannot mount a single file",
        .instead = "mount the directory of the file",
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "host-path-type",
        .field = "volumes[*].hostPath.type",
        .forbids = one_of<"CharDevice", "BlockDevice">,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "a Windows node has no device files, so the check before the mount fails",
        .instead = "leave it empty, which also works for a named pipe (\\\\.\\pipe\\NAME)",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/volume/util/hostutil/"
                  "hostutil_windows.go",
    },
    {
        .id = "host-path-type",
        .field = "volumes[*].hostPath.type",
        .forbids = one_of<"Socket">,
        .versions = between({1, 14}, {1, 28}),
        .action = Action::warn,
        .reason = "before 1.29 the kubelet on Windows does not recognize a socket, so the check "
                  "before the mount fails",
        .instead = "leave it empty",
        .source = "https://github.com/kubernetes/kubernetes/pull/114336",
    },
    {
        .id = "host-path-type",
        .field = "volumes[*].hostPath.type",
        .forbids = socket_in_host_process_pod,
        .versions = since(1, 29),
        .action = Action::warn,
        .reason = "HostProcess containers do not support mounts of Unix sockets",
        .instead = "remove the volume and open the socket of the node by its path",
        .source = "https://kubernetes.io/docs/tasks/configure-pod-container/"
                  "create-hostprocess-pod/#limitations",
    },
    {
        .id = "host-path-pipe",
        .field = "volumes[*].hostPath.path",
        .forbids = pipe_in_other_spelling,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "the kubelet and containerd treat this path as a folder",
        .instead = "write \\\\.\\pipe\\NAME",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/util/util.go",
    },
    {
        .id = "host-path-pipe-type",
        .field = "volumes[*].hostPath",
        .forbids = pipe_as_directory,
        .versions = between({1, 14}, {1, 28}),
        .action = Action::warn,
        .reason = "a named pipe is no directory, so the check before the mount fails",
        .instead = "leave the type empty",
        .source = kCheckOfHostPath,
    },
    {
        // Until 1.28 each Socket is a finding of host-path-type.
        .id = "host-path-pipe-type",
        .field = "volumes[*].hostPath",
        .forbids = pipe_as_directory_or_socket,
        .versions = since(1, 29),
        .action = Action::warn,
        .reason = "a named pipe is no directory and no socket, so the check before the mount fails",
        .instead = "leave the type empty",
        .source = kCheckOfHostPath,
    },
});

}  // namespace winadmit::table
