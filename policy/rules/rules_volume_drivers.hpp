// Rows about the drivers of volumes. Included by rules.cpp only.
#pragma once

#include <array>
#include <string_view>

#include "policy/rules/rule.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

// Texts of several rows.
inline constexpr std::string_view kUseInTreeDriver =
    "use azureDisk, azureFile, gcePersistentDisk or a FlexVolume";
inline constexpr std::string_view kUseCsiDriver = "use a CSI driver that supports Windows";
inline constexpr std::string_view kCloneInInitContainer =
    "clone the repository into an emptyDir volume in an init container";

inline constexpr auto kVolumeDriverRules = std::to_array<Rule>({
    // ---- Drivers that work on Windows since a later release ----
    {
        .id = "volume-aws-elastic-block-store",
        .field = "volumes[*].awsElasticBlockStore",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 15}),
        .reason =
            "before 1.16 the driver looks for Linux device paths and waits forever on Windows",
        .instead = kUseInTreeDriver,
        .source = "https://github.com/kubernetes/kubernetes/pull/79552",
    },
    {
        .id = "volume-vsphere",
        .field = "volumes[*].vsphereVolume",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 15}),
        .reason = "before 1.16 the driver cannot mount volumes on Windows",
        .instead = kUseInTreeDriver,
        .source = "https://github.com/kubernetes/kubernetes/pull/80911",
    },
    {
        .id = "volume-csi",
        .field = "volumes[*].csi",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 15}),
        .reason = "CSI node plugins need privileged containers, which Windows does not have",
        .instead = kUseInTreeDriver,
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "volume-csi",
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
        .id = "volume-nfs",
        .field = "volumes[*].nfs",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 21}),
        .reason = "the kubelet on Windows mounts no network shares except SMB",
        .instead = "use SMB (azureFile or a FlexVolume)",
        .source = sources::kDocsStorage,
    },
    {
        .id = "volume-nfs",
        .field = "volumes[*].nfs",
        .forbids = present_object,
        .versions = since(1, 22),
        .reason = "the kubelet on Windows mounts no network shares except SMB",
        .instead = "use SMB (its CSI driver or azureFile)",
        .source = sources::kDocsStorage,
    },
    {
        .id = "volume-iscsi",
        .field = "volumes[*].iscsi",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 21}),
        .reason = "the built-in driver runs iscsiadm, which Windows does not have",
        .instead = "use the iSCSI FlexVolume for Windows",
        .source = sources::kIscsiUtil,
    },
    {
        .id = "volume-iscsi",
        .field = "volumes[*].iscsi",
        .forbids = present_object,
        .versions = since(1, 22),
        .reason = "the built-in driver runs iscsiadm, which Windows does not have",
        .instead = kUseCsiDriver,
        .source = sources::kIscsiUtil,
    },
    {
        .id = "volume-fc",
        .field = "volumes[*].fc",
        .forbids = present_object,
        .versions = since(1, 14),
        .reason = "the built-in Fibre Channel driver requires Linux device paths",
        .instead = kUseCsiDriver,
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/volume/fc/fc_util.go",
    },
    {
        .id = "volume-linux-in-tree",
        .field = "volumes[*].{glusterfs,rbd,cephfs,cinder,flocker,quobyte,portworxVolume,scaleIO,"
                 "storageos,photonPersistentDisk}",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 21}),
        .reason = "this kind of volume never had a driver for Windows",
        .instead = kUseInTreeDriver,
        .source = sources::kDocsInTreeVolumes,
    },
    {
        .id = "volume-linux-in-tree",
        .field = "volumes[*].{glusterfs,rbd,cephfs,cinder,flocker,quobyte,portworxVolume,scaleIO,"
                 "storageos,photonPersistentDisk}",
        .forbids = present_object,
        .versions = since(1, 22),
        .reason = "this kind of volume never had a driver for Windows",
        .instead = kUseCsiDriver,
        .source = sources::kDocsInTreeVolumes,
    },
    {
        .id = "volume-git-repo",
        .field = "volumes[*].gitRepo",
        .forbids = present_object,
        .versions = between({1, 14}, {1, 32}),
        .action = Action::warn,
        .reason = "it is deprecated and needs git on the Windows node",
        .instead = kCloneInInitContainer,
        .source = "https://kubernetes.io/docs/concepts/storage/volumes/#gitrepo",
    },
    {
        .id = "volume-git-repo",
        .field = "volumes[*].gitRepo",
        .forbids = present_object,
        .versions = between({1, 33}, {1, 35}),
        .action = Action::warn,
        .reason = "it is deprecated and off by default (gate GitRepoVolumeDriver), so the volume "
                  "cannot be mounted",
        .instead = kCloneInInitContainer,
        .source =
            "https://github.com/kubernetes/kubernetes/blob/v1.35.1/pkg/volume/git_repo/git_repo.go",
    },
    {
        .id = "volume-git-repo",
        .field = "volumes[*].gitRepo",
        .forbids = present_object,
        .versions = since(1, 36),
        .reason = "it is off for good since 1.36, so the volume cannot be mounted",
        .instead = kCloneInInitContainer,
        .source =
            "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/volume/git_repo/git_repo.go",
    },
    {
        .id = "volume-image",
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
        .id = "volume-image",
        .field = "volumes[*].image",
        .forbids = present_object,
        .versions = since(1, 35),
        .reason = "Windows does not support image volumes",
        .instead = "copy the files into an emptyDir volume in an init container",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/test/e2e/common/node/"
                  "image_volume.go",
    },
    {
        .id = "ephemeral-volume-mode",
        .field = "volumes[*].ephemeral.volumeClaimTemplate.spec.volumeMode",
        .forbids = one_of<"Block">,
        .versions = since(1, 19),
        .reason = "raw block volumes cannot be attached to Windows containers",
        .instead = "use Filesystem",
        .source = sources::kDocsStorage,
    },
});

}  // namespace winadmit::table
