// Rows about the pod itself: namespaces shared with the node, names, termination. Included by
// rules.cpp only.
#pragma once

#include <array>

#include "policy/rules/rule.hpp"
#include "policy/rules/shared_texts.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit::table {

inline constexpr auto kPodRules = std::to_array<Rule>({
    // ---- Namespaces ----
    {
        .id = "host-network",
        .field = "hostNetwork",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows containers cannot use the network of the node",
        .instead = "remove it and expose the port with a Service or a hostPort",
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "host-network",
        .field = "hostNetwork",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .unless = all_host_process,
        .versions = since(1, 22),
        .reason = "only HostProcess containers can use the network of a Windows node, and other "
                  "pods get their own",
        .instead = "remove it and use a Service or a hostPort, or make every container a "
                   "HostProcess container",
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "host-pid",
        .field = "hostPID",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no host PID namespace to share",
        .instead = "remove it and inspect the processes on the node itself",
        .source = sources::kKepPod,
    },
    {
        .id = "host-pid",
        .field = "hostPID",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .unless = all_host_process_without_spec_os,
        .versions = since(1, 22),
        .reason = "Windows has no host PID namespace to share",
        .instead = "remove it: HostProcess containers see the processes of the node without it",
        .needs_manual_fix = true,
        .source = sources::kDocsPod,
    },
    {
        .id = "host-pid",
        .field = "hostPID",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .only_if = all_host_process_without_spec_os,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "HostProcess containers see the processes of the node without it",
        .instead = "remove it",
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "host-ipc",
        .field = "hostIPC",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows has no host IPC namespace to share",
        .instead = "remove it and share a named pipe through a hostPath volume",
        .source = sources::kKepPod,
    },
    {
        .id = "host-ipc",
        .field = "hostIPC",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .unless = all_host_process_without_spec_os,
        .versions = since(1, 22),
        .reason = "Windows has no host IPC namespace to share",
        .instead = "remove it and share a named pipe: through a hostPath volume, or in HostProcess "
                   "containers by its path (\\\\.\\pipe\\NAME)",
        .needs_manual_fix = true,
        .source = sources::kDocsPod,
    },
    {
        .id = "host-ipc",
        .field = "hostIPC",
        .forbids = is_true,
        .forbids_strict = present_boolean,
        .only_if = all_host_process_without_spec_os,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason =
            "HostProcess containers ignore it: they open the named pipes of the node by their path",
        .instead = "remove it",
        .source = sources::kDocsHostProcess,
    },
    {
        .id = "host-users",
        .field = "hostUsers",
        .forbids = is_false,
        .forbids_strict = present_boolean,
        .versions = since(1, 25),
        .reason = "user namespaces are a Linux feature and do not isolate anything on Windows",
        .instead = kRunWithFewRights,
        .source = sources::kValidateWindows,
    },
    {
        // Before 1.33 the feature gate is off, and the API server drops the field.
        .id = "host-users",
        .field = "hostUsers",
        .forbids = never,
        .forbids_with_spec_os = is_true,
        .versions = since(1, 33),
        .reason = "Windows has no user namespaces",
        .instead = "remove it, whatever its value",
        .source = sources::kValidateWindows,
    },
    {
        .id = "share-process-namespace",
        .field = "shareProcessNamespace",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .versions = between({1, 14}, {1, 21}),
        .reason = "Windows containers of one pod share a network but not a process namespace",
        .instead = "remove it and let the containers communicate over localhost or a shared volume",
        .source = sources::kKepPod,
    },
    {
        .id = "share-process-namespace",
        .field = "shareProcessNamespace",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .unless = all_host_process,
        .versions = since(1, 22),
        .reason = "containers of a Windows pod do not share a process namespace",
        .instead = "remove it and use localhost or a shared volume, or HostProcess containers, "
                   "which see all processes",
        .source = sources::kDocsPod,
    },
    {
        .id = "share-process-namespace",
        .field = "shareProcessNamespace",
        .forbids = is_true,
        .forbids_with_spec_os = present_boolean,
        .only_if = all_host_process,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = kHostProcessSeesAll,
        .instead = "remove it",
        .source = sources::kDocsHostProcess,
    },

    // ---- Names ----
    {
        .id = "dns-policy",
        .field = "dnsPolicy",
        .forbids = one_of<"ClusterFirstWithHostNet">,
        .versions = between({1, 14}, {1, 21}),
        .reason =
            "ClusterFirstWithHostNet requires host networking, which Windows pods do not have",
        .instead = "use ClusterFirst",
        .source = sources::kKepNeverWorks,
    },
    {
        .id = "dns-policy",
        .field = "dnsPolicy",
        .forbids = one_of<"ClusterFirstWithHostNet">,
        .unless = host_process_on_host_network,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "in a pod with its own network it means the same as ClusterFirst",
        .instead = "use ClusterFirst",
        .source = sources::kKubeletDns,
    },
    {
        .id = "dns-policy",
        .field = "dnsPolicy",
        .forbids = one_of<"Default", "None">,
        .versions = between({1, 14}, {1, 14}),
        .action = Action::warn,
        .reason = "in 1.14 only ClusterFirst works with every CNI plugin on Windows",
        .instead = "use ClusterFirst, or make sure that the CNI plugin of the nodes supports it",
        .source = "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
                  "116-windows-node-support",
    },
    {
        // A pod for other DNS servers than those of the cluster. A HostProcess pod on the network
        // of the node has that of the node.
        .id = "dns-policy",
        .field = "dnsPolicy",
        .forbids = one_of<"Default">,
        .unless = host_process_on_host_network,
        .versions = since(1, 15),
        .action = Action::warn,
        .reason = "Default takes no DNS server from the node, unless the kubelet of the node has a "
                  "file or "
                  "Host (1.27 and later) as resolvConf",
        .instead = "use ClusterFirst, or None with dnsConfig.nameservers",
        .source = sources::kKubeletDns,
    },
    {
        .id = "dns-config-searches",
        .field = "dnsConfig.searches",
        .forbids = more_than_one,
        .unless = all_host_process,  // it needs containerd, and has its own advice
        .versions = between({1, 14}, {1, 23}),
        .action = Action::warn,
        .reason = "Windows applies a single DNS suffix, so only the first entry is reliable",
        .instead = "keep one entry and use fully qualified names",
        .source = sources::kDnsOnWindows,
    },
    {
        .id = "dns-config-options",
        .field = "dnsConfig.options",
        .forbids = nonempty_list,
        .unless = all_host_process,
        .versions = since(1, 14),
        .action = Action::warn,
        .reason = "Windows has no resolv.conf, and its resolver has no options such as ndots",
        .instead = "use fully qualified names",
        .source = sources::kDnsOnWindows,
    },
    {
        .id = "host-process-dns",
        .field = "dnsConfig",
        .forbids = has_dns_settings,
        .only_if = all_host_process,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "HostProcess containers use the DNS settings of the node",
        .instead = "remove it, and a dnsPolicy of None, and use names that the node can resolve",
        .source = "https://github.com/containerd/containerd/blob/v2.2.0/internal/cri/server/"
                  "sandbox_run.go",
    },
    {
        .id = "host-aliases",
        .field = "hostAliases",
        .forbids = nonempty_list,
        .unless = all_host_process,
        .versions = between({1, 14}, {1, 23}),
        .action = Action::warn,
        .reason = "Docker cannot mount single files on Windows, so the container gets no hosts "
                  "file with these names",
        .instead = "remove it and publish the names in DNS, or add them in the entrypoint",
        .source = sources::kDockerHostsFile,
    },
    {
        .id = "host-aliases",
        .field = "hostAliases",
        .forbids = nonempty_list,
        .only_if = all_host_process,
        .versions = since(1, 22),
        .action = Action::warn,
        .reason = "HostProcess containers use the hosts file of the node, and the kubelet does not "
                  "add these names to it",
        .instead = "publish the names in DNS",
        .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/kubelet/"
                  "kubelet_pods.go",
    },

    // ---- Termination ----
    {
        .id = "termination-grace-period",
        .field = "terminationGracePeriodSeconds",
        .forbids = not_30_seconds,
        .unless = all_host_process,  // it needs containerd
        .versions = between({1, 14}, {1, 23}),
        .action = Action::warn,
        .reason =
            "with Docker, a Windows container has 5 seconds to shut down, whatever value is set",
        .instead = "remove it and raise WaitToKillServiceTimeout in the registry of the image",
        .source = "https://github.com/kubernetes/kubernetes/issues/73434",
    },
});

}  // namespace winadmit::table
