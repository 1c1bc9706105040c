//! The fields that a Windows pod must not use.

use k8s_openapi::api::core::v1::{
    AppArmorProfile, Container, Pod, PodSecurityContext, PodSpec, SeccompProfile, SecurityContext, Volume,
    WindowsSecurityContextOptions,
};
use kube_core::response::StatusCause;

/// Every finding in a pod.
pub fn causes(pod: &Pod) -> Vec<StatusCause> {
    let mut found = Findings::default();
    let Some(spec) = &pod.spec else {
        return found.0;
    };
    let host_network = is_true(spec.host_network) && !all_host_process(spec);
    found.forbid(
        host_network,
        "spec.",
        "hostNetwork",
        "only HostProcess containers share the node's network",
    );
    found.forbid(
        is_true(spec.host_pid),
        "spec.",
        "hostPID",
        "Windows has no host PID namespace to share",
    );
    found.forbid(
        is_true(spec.host_ipc),
        "spec.",
        "hostIPC",
        "Windows has no host IPC namespace to share",
    );
    found.forbid(
        spec.host_users == Some(false),
        "spec.",
        "hostUsers",
        "user namespaces are a Linux feature",
    );
    found.forbid(
        is_true(spec.share_process_namespace),
        "spec.",
        "shareProcessNamespace",
        "Windows has no shared process namespace",
    );
    found.forbid(
        spec.resources.is_some(),
        "spec.",
        "resources",
        "pod level resources are a Linux feature",
    );
    if let Some(security) = &spec.security_context {
        found.pod_security(security);
    }
    for (i, volume) in spec.volumes.iter().flatten().enumerate() {
        found.volume(volume, || format!("spec.volumes[{i}]."));
    }
    for (i, container) in spec.init_containers.iter().flatten().enumerate() {
        found.container(container, &format!("spec.initContainers[{i}]."));
    }
    for (i, container) in spec.containers.iter().enumerate() {
        found.container(container, &format!("spec.containers[{i}]."));
    }
    for (i, container) in spec.ephemeral_containers.iter().flatten().enumerate() {
        if let Some(security) = &container.security_context {
            found.security(security, &format!("spec.ephemeralContainers[{i}].securityContext."));
        }
    }
    found.0
}

#[derive(Default)]
struct Findings(Vec<StatusCause>);

impl Findings {
    fn forbid(&mut self, when: bool, at: &str, field: &str, reason: &str) {
        if when {
            self.0.push(StatusCause {
                reason: "FieldValueForbidden".to_owned(),
                message: format!("{at}{field}: cannot be set for a windows pod: {reason}"),
                field: format!("{at}{field}"),
            });
        }
    }

    fn pod_security(&mut self, security: &PodSecurityContext) {
        const AT: &str = "spec.securityContext.";
        let users = "Windows has no numeric users";
        let groups = "Windows has no numeric groups";
        let owner = "Windows volumes have no group owner";
        let selinux = "SELinux is a Linux feature";
        let supplemental = security
            .supplemental_groups
            .as_ref()
            .is_some_and(|groups| !groups.is_empty());
        let sysctls = security.sysctls.as_ref().is_some_and(|sysctls| !sysctls.is_empty());
        self.forbid(security.se_linux_options.is_some(), AT, "seLinuxOptions", selinux);
        self.forbid(security.run_as_user.is_some(), AT, "runAsUser", users);
        self.forbid(security.run_as_group.is_some(), AT, "runAsGroup", groups);
        self.forbid(supplemental, AT, "supplementalGroups", groups);
        self.forbid(
            security.supplemental_groups_policy.is_some(),
            AT,
            "supplementalGroupsPolicy",
            groups,
        );
        self.forbid(security.fs_group.is_some(), AT, "fsGroup", owner);
        self.forbid(
            security.fs_group_change_policy.is_some(),
            AT,
            "fsGroupChangePolicy",
            owner,
        );
        self.forbid(sysctls, AT, "sysctls", "sysctls are settings of the Linux kernel");
        self.forbid(
            security.se_linux_change_policy.is_some(),
            AT,
            "seLinuxChangePolicy",
            selinux,
        );
        self.profiles(
            security.seccomp_profile.as_ref(),
            security.app_armor_profile.as_ref(),
            AT,
        );
    }

    fn profiles(&mut self, seccomp: Option<&SeccompProfile>, app_armor: Option<&AppArmorProfile>, at: &str) {
        let seccomp = seccomp.is_some_and(|profile| profile.type_ == "Localhost");
        self.forbid(seccomp, at, "seccompProfile", "seccomp filters Linux system calls");
        let app_armor = app_armor.is_some_and(|profile| profile.type_ == "Localhost");
        self.forbid(app_armor, at, "appArmorProfile", "AppArmor is a Linux feature");
    }

    fn container(&mut self, container: &Container, at: &str) {
        if let Some(security) = &container.security_context {
            self.security(security, &format!("{at}securityContext."));
        }
        if let Some(resources) = &container.resources {
            for name in resources.limits.iter().flat_map(|limits| limits.keys()) {
                let huge = name.starts_with("hugepages-");
                self.forbid(huge, at, "resources.limits", "Windows has no huge pages");
            }
            let claims = resources.claims.as_ref().is_some_and(|claims| !claims.is_empty());
            self.forbid(claims, at, "resources.claims", "resource claims are not supported");
        }
        let devices = container
            .volume_devices
            .as_ref()
            .is_some_and(|devices| !devices.is_empty());
        self.forbid(devices, at, "volumeDevices", "Windows has no raw block volumes");
        self.mounts(container, at);
        self.ports(container, at);
        let lifecycle = container.lifecycle.as_ref();
        let signal = lifecycle.and_then(|lifecycle| lifecycle.stop_signal.as_deref());
        let unknown = signal.is_some_and(|signal| signal != "SIGTERM" && signal != "SIGKILL");
        self.forbid(unknown, at, "lifecycle.stopSignal", "Windows has no such signal");
    }

    fn mounts(&mut self, container: &Container, at: &str) {
        for (i, mount) in container.volume_mounts.iter().flatten().enumerate() {
            if mount
                .mount_propagation
                .as_deref()
                .is_some_and(|propagation| propagation != "None")
            {
                let field = format!("volumeMounts[{i}].mountPropagation");
                self.forbid(true, at, &field, "Windows has no mount propagation");
            }
            if mount.recursive_read_only.as_deref() == Some("Enabled") {
                let field = format!("volumeMounts[{i}].recursiveReadOnly");
                self.forbid(true, at, &field, "Windows has no recursive read-only mounts");
            }
        }
    }

    fn ports(&mut self, container: &Container, at: &str) {
        for (i, port) in container.ports.iter().flatten().enumerate() {
            if port.protocol.as_deref() == Some("SCTP") {
                self.forbid(true, at, &format!("ports[{i}].protocol"), "Windows has no SCTP");
            }
            if port
                .host_ip
                .as_deref()
                .is_some_and(|address| !address.is_empty() && address != "0.0.0.0")
            {
                let field = format!("ports[{i}].hostIP");
                self.forbid(true, at, &field, "Windows binds host ports on every address");
            }
        }
    }

    fn security(&mut self, security: &SecurityContext, at: &str) {
        let capabilities = security.capabilities.as_ref();
        let added = capabilities
            .and_then(|capabilities| capabilities.add.as_ref())
            .is_some_and(|add| !add.is_empty());
        let proc_mount = security.proc_mount.as_deref().is_some_and(|mount| mount != "Default");
        let escalates = is_true(security.allow_privilege_escalation);
        self.forbid(
            is_true(security.privileged),
            at,
            "privileged",
            "Windows has no privileged containers",
        );
        self.forbid(escalates, at, "allowPrivilegeEscalation", "Windows has no no_new_privs");
        self.forbid(added, at, "capabilities.add", "Windows has no capabilities");
        self.forbid(proc_mount, at, "procMount", "Windows has no /proc");
        let read_only = is_true(security.read_only_root_filesystem);
        self.forbid(
            read_only,
            at,
            "readOnlyRootFilesystem",
            "Windows needs to write to its root",
        );
        self.forbid(
            security.run_as_user.is_some(),
            at,
            "runAsUser",
            "Windows has no numeric users",
        );
        self.forbid(
            security.run_as_group.is_some(),
            at,
            "runAsGroup",
            "Windows has no numeric groups",
        );
        self.forbid(
            security.se_linux_options.is_some(),
            at,
            "seLinuxOptions",
            "SELinux is a Linux feature",
        );
        self.profiles(
            security.seccomp_profile.as_ref(),
            security.app_armor_profile.as_ref(),
            at,
        );
    }

    /// The path is only formatted for a volume that has a finding.
    fn volume(&mut self, volume: &Volume, at: impl Fn() -> String) {
        let medium = volume.empty_dir.as_ref().and_then(|empty| empty.medium.as_deref());
        let kind = volume.host_path.as_ref().and_then(|path| path.type_.as_deref());
        let forbidden = [
            (
                medium.is_some_and(|medium| !medium.is_empty()),
                "emptyDir.medium",
                "Windows has no tmpfs or huge pages",
            ),
            (volume.nfs.is_some(), "nfs", "the NFS plugin needs a Linux node"),
            (volume.iscsi.is_some(), "iscsi", "the iSCSI plugin needs a Linux node"),
            (volume.fc.is_some(), "fc", "the FC plugin needs a Linux node"),
            (volume.rbd.is_some(), "rbd", "the RBD plugin needs a Linux node"),
            (
                volume.cephfs.is_some(),
                "cephfs",
                "the CephFS plugin needs a Linux node",
            ),
            (
                volume.glusterfs.is_some(),
                "glusterfs",
                "the Gluster plugin needs a Linux node",
            ),
            (
                volume.git_repo.is_some(),
                "gitRepo",
                "the git plugin needs a Linux node",
            ),
            (volume.image.is_some(), "image", "image volumes need a Linux node"),
            (
                matches!(kind, Some("Socket" | "CharDevice" | "BlockDevice")),
                "hostPath.type",
                "Windows has no such files",
            ),
        ];
        for (when, field, reason) in forbidden {
            if when {
                self.forbid(true, &at(), field, reason);
            }
        }
    }
}

fn is_true(value: Option<bool>) -> bool {
    value == Some(true)
}

fn all_host_process(spec: &PodSpec) -> bool {
    let host_process = |options: Option<&WindowsSecurityContextOptions>| options.and_then(|its| its.host_process);
    let whole = spec
        .security_context
        .as_ref()
        .and_then(|security| host_process(security.windows_options.as_ref()));
    spec.containers.iter().all(|container| {
        let security = container.security_context.as_ref();
        let own = security.and_then(|security| host_process(security.windows_options.as_ref()));
        own.or(whole) == Some(true)
    })
}
