// Rows about volumes. Included by rules.cpp only.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/predicates_paths.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kProtectedOnTheNode =
    "remove it and protect secrets by ACLs or BitLocker on the node";

inline constexpr std::string_view kCheckOfHostPath =
    "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/hostpath/host_path.go";

inline constexpr auto kVolumeRules = std::to_array<Rule>({
    // ---- Files that Kubernetes writes ----
    {
        .id = "emptydir-medium",
        .field = "volumes[*].emptyDir.medium",
        .forbids = one_of<"Memory">,
        .versions = since(1, 14),
        .reason =
            "Windows has no RAM disk (tmpfs), so the data would be written to the disk of the node",
        .instead = "remove it if the data may be on disk",
        .source = sources::kDocsPod,
    },
    {
        .id = "emptydir-medium",
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
        .reason = "Windows has no UIDs and GIDs for a file mode to apply to",
        .instead = kProtectedOnTheNode,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "default-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI,projected}.defaultMode",
        .forbids = not_mode_0644,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason =
            "Windows has no file modes, and the files get the ACLs of the kubelet's directory",
        .instead = kProtectedOnTheNode,
        .source = sources::kDocsStorage,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no UIDs and GIDs for a file mode to apply to",
        .instead = kProtectedOnTheNode,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason =
            "Windows has no file modes, and the file gets the ACLs of the kubelet's directory",
        .instead = kProtectedOnTheNode,
        .source = sources::kDocsStorage,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].projected.sources[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no UIDs and GIDs for a file mode to apply to",
        .instead = kProtectedOnTheNode,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].projected.sources[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason =
            "Windows has no file modes, and the file gets the ACLs of the kubelet's directory",
        .instead = kProtectedOnTheNode,
        .source = sources::kProjectedOnWindows,
    },
    {
        .id = "vol-hostpath-linux",
        .field = "volumes[*].hostPath.path",
        .forbids = linux_path,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason =
            "Windows nodes do not have this path: the folder is empty, or the pod does not start",
        .instead = "remove the volume, or mount the folder or named pipe of Windows instead",
        .source = "https://github.com/containerd/containerd/blob/v2.2.0/internal/cri/opts/"
                  "spec_windows_opts.go",
    },
    {
        .id = "vol-hostpath-type",
        .field = "volumes[*].hostPath.type",
        .forbids = one_of<"File", "FileOrCreate">,
        .versions = between({1, 14}, {1, 19}),
        .reason = "Docker on Windows cannot mount a single file",
        .instead = "mount the directory of the file",
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "vol-hostpath-type",
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
        .id = "vol-hostpath-type",
        .field = "volumes[*].hostPath.type",
        .forbids = one_of<"Socket">,
        .versions = between({1, 14}, {1, 28}),
        .action = Action::warn,
        .reason = "before 1.29 the kubelet on Windows takes no file for a socket, so the check "
                  "before the mount fails",
        .instead = "leave it empty",
        .source = "https://github.com/kubernetes/kubernetes/pull/114336",
    },
    {
        .id = "vol-hostpath-type",
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
        .id = "vol-pipe-path",
        .field = "volumes[*].hostPath.path",
        .forbids = pipe_in_other_spelling,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "the kubelet and containerd take this spelling for a folder",
        .instead = "write \\\\.\\pipe\\NAME",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/util/util.go",
    },
    {
        .id = "vol-pipe-type",
        .field = "volumes[*].hostPath",
        .forbids = pipe_as_directory,
        .versions = between({1, 14}, {1, 28}),
        .action = Action::warn,
        .reason = "a named pipe is no directory, so the check before the mount fails",
        .instead = "leave the type empty",
        .source = kCheckOfHostPath,
    },
    {
        // Until 1.28 each Socket is a finding of vol-hostpath-type.
        .id = "vol-pipe-type",
        .field = "volumes[*].hostPath",
        .forbids = pipe_as_directory_or_socket,
        .versions = since(1, 29),
        .action = Action::warn,
        .reason = "a named pipe is no directory and no socket, so the check before the mount fails",
        .instead = "leave the type empty",
        .source = kCheckOfHostPath,
    },

    // ---- Drivers that work on Windows since a later release ----
    {
        .id = "vol-aws",
        .field = "volumes[*].awsElasticBlockStore",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 15}),
        .reason =
            "before 1.16 the driver looks for Linux device paths and waits forever on Windows",
        .instead = "use azureDisk, azureFile, gcePersistentDisk or a FlexVolume",
        .source = "https://github.com/kubernetes/kubernetes/pull/79552",
    },
    {
        .id = "vol-vsphere",
        .field = "volumes[*].vsphereVolume",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 15}),
        .reason = "before 1.16 the driver cannot mount volumes on Windows",
        .instead = "use azureDisk, azureFile, gcePersistentDisk or a FlexVolume",
        .source = "https://github.com/kubernetes/kubernetes/pull/80911",
    },
    {
        .id = "vol-csi",
        .field = "volumes[*].csi",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 15}),
        .reason = "CSI node plugins need privileged containers, which Windows does not have",
        .instead = "use azureDisk, azureFile, gcePersistentDisk or a FlexVolume",
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "vol-csi",
        .field = "volumes[*].csi",
        .forbids = present_object,
        .versions = between({1, 16}, {1, 21}),
        .action = Action::warn,
        .reason = "CSI drivers on Windows are not stable yet and need csi-proxy on every node",
        .instead = "make sure that the nodes run csi-proxy and the driver's Windows plugin",
        .source = "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
                  "1122-windows-csi-support",
    },

    // ---- Drivers that do not work on Windows ----
    {
        .id = "vol-nfs",
        .field = "volumes[*].nfs",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 21}),
        .reason = "the kubelet on Windows mounts no network shares except SMB",
        .instead = "use SMB (azureFile or a FlexVolume)",
        .source = sources::kDocsStorage,
    },
    {
        .id = "vol-nfs",
        .field = "volumes[*].nfs",
        .forbids = present_object,
        .versions = since(1, 22),
        .reason = "the kubelet on Windows mounts no network shares except SMB",
        .instead = "use SMB (its CSI driver or azureFile)",
        .source = sources::kDocsStorage,
    },
    {
        .id = "vol-iscsi",
        .field = "volumes[*].iscsi",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 21}),
        .reason = "the built-in driver runs iscsiadm, which Windows does not have",
        .instead = "use the iSCSI FlexVolume for Windows",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/volume/iscsi/"
                  "iscsi_util.go",
    },
    {
        .id = "vol-iscsi",
        .field = "volumes[*].iscsi",
        .forbids = present_object,
        .versions = since(1, 22),
        .reason = "the built-in driver runs iscsiadm, which Windows does not have",
        .instead = "use a CSI driver that supports Windows",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/volume/iscsi/"
                  "iscsi_util.go",
    },
    {
        .id = "vol-fc",
        .field = "volumes[*].fc",
        .forbids = present_object,
        .versions = since(1, 14),
        .reason = "the built-in Fibre Channel driver requires Linux device paths",
        .instead = "use a CSI driver that supports Windows",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/volume/fc/fc_util.go",
    },
    {
        .id = "vol-linux-intree",
        .field = "volumes[*].{glusterfs,rbd,cephfs,cinder,flocker,quobyte,portworxVolume,scaleIO,"
                 "storageos,photonPersistentDisk}",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 21}),
        .reason = "this kind of volume never had a driver for Windows",
        .instead = "use azureDisk, azureFile, gcePersistentDisk or a FlexVolume",
        .source =
            "https://kubernetes.io/docs/concepts/storage/windows-storage/#in-tree-volume-plugins",
    },
    {
        .id = "vol-linux-intree",
        .field = "volumes[*].{glusterfs,rbd,cephfs,cinder,flocker,quobyte,portworxVolume,scaleIO,"
                 "storageos,photonPersistentDisk}",
        .forbids = present_object,
        .versions = since(1, 22),
        .reason = "this kind of volume never had a driver for Windows",
        .instead = "use a CSI driver that supports Windows",
        .source =
            "https://kubernetes.io/docs/concepts/storage/windows-storage/#in-tree-volume-plugins",
    },
    {
        .id = "vol-gitrepo",
        .field = "volumes[*].gitRepo",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 32}),
        .action = Action::warn,
        .reason = "it is deprecated and needs git on the Windows node",
        .instead = "clone the repository into an emptyDir volume in an init container",
        .source = "https://kubernetes.io/docs/concepts/storage/volumes/#gitrepo",
    },
    {
        .id = "vol-gitrepo",
        .field = "volumes[*].gitRepo",
        .forbids = present_object,
        .versions = between({1, 33}, {1, 35}),
        .action = Action::warn,
        .reason = "it is deprecated and off by default (gate GitRepoVolumeDriver), so the volume "
                  "cannot be mounted",
        .instead = "clone the repository into an emptyDir volume in an init container",
        .source =
            "https://github.com/kubernetes/kubernetes/blob/v1.35.1/pkg/volume/git_repo/git_repo.go",
    },
    {
        .id = "vol-gitrepo",
        .field = "volumes[*].gitRepo",
        .forbids = present_object,
        .versions = since(1, 36),
        .reason = "it is off for good since 1.36, so the volume cannot be mounted",
        .instead = "clone the repository into an emptyDir volume in an init container",
        .source =
            "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/git_repo/git_repo.go",
    },
    {
        .id = "vol-image",
        .field = "volumes[*].image",
        .forbids = present_object,
        .versions = between({1, 31}, {1, 34}),
        .action = Action::warn,
        .reason = "image volumes are off by default before 1.35, and Windows does not support them",
        .instead = "copy the files into an emptyDir volume in an init container",
        .source =
            "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/features/kube_features.go",
    },
    {
        .id = "vol-image",
        .field = "volumes[*].image",
        .forbids = present_object,
        .versions = since(1, 35),
        .reason = "Windows does not support image volumes",
        .instead = "copy the files into an emptyDir volume in an init container",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/test/e2e/common/node/"
                  "image_volume.go",
    },
    {
        .id = "vol-ephemeral-mode",
        .field = "volumes[*].ephemeral.volumeClaimTemplate.spec.volumeMode",
        .forbids = one_of<"Block">,
        .versions = since(1, 19),
        .reason = "raw block volumes cannot be attached to Windows containers",
        .instead = "use Filesystem",
        .source = sources::kDocsStorage,
    },
});

}  // namespace winadmit::table
