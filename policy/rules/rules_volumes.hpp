// Rows about volumes. Included by rules.cpp only.
#pragma once

#include <array>

#include "policy/rules/rule.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

inline constexpr auto kVolumeRules = std::to_array<Rule>({
    // ---- Files that Kubernetes writes ----
    {
        .id = "emptydir-medium",
        .field = "volumes[*].emptyDir.medium",
        .forbids = nonempty_string,
        .versions = since(1, 14),
        .reason = "Windows has neither RAM disks nor huge pages, so the data is stored on disk or "
                  "the mount fails",
        .instead = "remove it",
        .source = sources::kDocsPod,
    },
    {
        .id = "default-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI,projected}.defaultMode",
        .forbids = not_mode_0644,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no UIDs and GIDs for a file mode to apply to",
        .instead = "remove it and protect secrets by ACLs or BitLocker on the node",
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
        .instead = "remove it and protect secrets by ACLs or BitLocker on the node",
        .source = sources::kDocsStorage,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no UIDs and GIDs for a file mode to apply to",
        .instead = "remove it and protect secrets by ACLs or BitLocker on the node",
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
        .instead = "remove it and protect secrets by ACLs or BitLocker on the node",
        .source = sources::kDocsStorage,
    },
    {
        .id = "item-mode",
        .field = "volumes[*].projected.sources[*].{secret,configMap,downwardAPI}.items[*].mode",
        .forbids = not_mode_0644,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no UIDs and GIDs for a file mode to apply to",
        .instead = "remove it and protect secrets by ACLs or BitLocker on the node",
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
        .instead = "remove it and protect secrets by ACLs or BitLocker on the node",
        .source = sources::kProjectedOnWindows,
    },
    {
        .id = "vol-hostpath-linux",
        .field = "volumes[*].hostPath.path",
        .forbids = linux_path,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "Windows nodes do not have this path, so the container gets an empty folder",
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
        .forbids = one_of<"CharDevice", "BlockDevice", "Socket">,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "a Windows node has no device files and rarely a socket file, so the check "
                  "before the mount fails",
        .instead = "leave it empty, which also works for a named pipe (\\\\.\\pipe\\name)",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/volume/util/hostutil/"
                  "hostutil_windows.go",
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
        .versions = since(1, 14),
        .reason = "the NFS driver does not work on Windows",
        .instead = "use SMB (a CSI driver, a FlexVolume or azureFile)",
        .source = sources::kDocsStorage,
    },
    {
        .id = "vol-iscsi",
        .field = "volumes[*].iscsi",
        .forbids = present_object,
        .versions = since(1, 14),
        .reason = "the built-in driver runs iscsiadm, which Windows does not have",
        .instead = "use a CSI driver, or the iSCSI FlexVolume of older clusters",
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
        .versions = since(1, 14),
        .reason = "this kind of volume never had a driver for Windows",
        .instead = "use a CSI driver or a FlexVolume that supports Windows",
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
        .versions = since(1, 33),
        .action = Action::warn,
        .reason = "it is deprecated and off by default, so the pod would not start",
        .instead = "clone the repository into an emptyDir volume in an init container",
        .source = "https://kubernetes.io/docs/concepts/storage/volumes/#gitrepo",
    },
    {
        .id = "vol-image",
        .field = "volumes[*].image",
        .forbids = present_object,
        .versions = since(1, 31),
        .action = Action::warn,
        .reason = "image volumes are not tested on Windows, and the image would need a layer for "
                  "the Windows build of the node",
        .instead = "copy the files into an emptyDir volume in an init container",
        .source = "https://kubernetes.io/docs/tasks/configure-pod-container/image-volumes/",
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
