#include "policy/rules/allowed_fields.hpp"

#include <algorithm>
#include <array>

#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule_guard.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit {
namespace {

using enum Covers;

constexpr std::string_view kJudgedOneByOne =
    "the object itself is allowed, and its members are judged one by one";

constexpr auto kAllowed = std::to_array<AllowedField>({
    // ---- Scheduling: the scheduler knows operating systems only as labels and taints ----
    {
        .field = "os",
        .covers = itself_and_below,
        .because = "it states the operating system of the pod",
        .source =
            "https://kubernetes.io/docs/concepts/windows/intro/#compatibility-linux-similarities",
    },
    {
        .field = "{nodeSelector,tolerations}",
        .covers = itself_and_below,
        .because = "they place a pod on a Windows node",
        .source = "https://kubernetes.io/docs/concepts/windows/user-guide/#taints-and-tolerations",
    },
    {
        .field = "runtimeClassName",
        .because = "a RuntimeClass can choose a Windows build or Hyper-V isolation",
        .source = "https://kubernetes.io/docs/concepts/windows/user-guide/"
                  "#simplifying-with-runtimeclass",
    },
    {
        .field = "{affinity,nodeName,overhead,preemptionPolicy,priority,priorityClassName,"
                 "readinessGates,schedulerName,schedulingGates,schedulingGroup,"
                 "topologySpreadConstraints}",
        .covers = itself_and_below,
        .because = "the control plane uses it, whatever operating system the node runs",
        .source = sources::kKepApi,
    },

    // ---- Life cycle and identity of the pod ----
    {
        .field = "{activeDeadlineSeconds,automountServiceAccountToken,enableServiceLinks,"
                 "imagePullSecrets,restartPolicy,serviceAccount,serviceAccountName}",
        .covers = itself_and_below,
        .because = "the kubelet does the same on every operating system",
        .source = sources::kKepApi,
    },
    {
        .field = "terminationGracePeriodSeconds",
        .because = "containerd on Windows waits that long; Docker did not",
        .source = sources::kDocsPod,
    },

    // ---- Names ----
    {
        .field = "{hostname,hostnameOverride,setHostnameAsFQDN,subdomain}",
        .because = "Windows containers get the host name that the pod sets",
        .source = sources::kKepApi,
    },
    {
        .field = "dnsConfig",
        .because = kJudgedOneByOne,
        .source = sources::kDnsOnWindows,
    },
    {
        .field = "dnsConfig.{nameservers,searches}",
        .covers = itself_and_below,
        .because = "the CNI plugin applies it to Windows containers as far as Windows supports it",
        .source = sources::kDnsOnWindows,
    },
    {
        .field = "hostAliases",
        .covers = itself_and_below,
        .because = "with containerd the kubelet mounts a hosts file into Windows containers other "
                   "than HostProcess containers",
        .source = "https://github.com/kubernetes/kubernetes/pull/83730",
    },

    // ---- Security contexts ----
    {
        .field = "securityContext",
        .because = kJudgedOneByOne,
        .source = sources::kDocsPodSecurity,
    },
    {
        .field = "securityContext.windowsOptions",
        .covers = itself_and_below,
        .because = "it is the part of a security context for Windows",
        .source = sources::kDocsPodSecurity,
    },
    {
        .field = "securityContext.runAsNonRoot",
        .because = "since 1.20 the kubelet checks on Windows that a user who is named, in the pod "
                   "or in the "
                   "image, is not ContainerAdministrator",
        .source = sources::kDocsPodSecurity,
    },
    {
        .scope = Scope::each_container,
        .field = "securityContext",
        .because = kJudgedOneByOne,
        .source = sources::kDocsPodSecurity,
    },
    {
        .scope = Scope::each_container,
        .field = "securityContext.windowsOptions",
        .covers = itself_and_below,
        .because = "it is the part of a security context for Windows",
        .source = sources::kDocsPodSecurity,
    },
    {
        .scope = Scope::each_container,
        .field = "securityContext.runAsNonRoot",
        .because = "since 1.20 the kubelet checks on Windows that a user who is named, in the pod "
                   "or in the "
                   "image, is not ContainerAdministrator",
        .source = sources::kDocsPodSecurity,
    },
    {
        .scope = Scope::each_container,
        .field = "securityContext.capabilities",
        .because = "without spec.os.name an empty object is ignored, and the capabilities that it "
                   "adds or drops are judged separately",
        .source = sources::kValidateWindows,
    },

    // ---- Containers ----
    {
        .scope = Scope::each_container,
        .field = "",
        .because = "Windows pods have containers, init containers and ephemeral containers",
        .source = sources::kDocsPod,
    },
    {
        .scope = Scope::each_container,
        .field = "{name,image,imagePullPolicy,command,args,workingDir,env,envFrom,stdin,stdinOnce,"
                 "tty,terminationMessagePolicy,restartPolicy,restartPolicyRules}",
        .covers = itself_and_below,
        .because = "it means the same for Windows containers",
        .source = sources::kKepApi,
    },
    {
        .scope = Scope::each_ephemeral,
        .field = "targetContainerName",
        .versions = between({1, 14}, {1, 22}),
        .because = "it is ignored until ephemeral containers are on by default",
        .source = "https://kubernetes.io/docs/concepts/workloads/pods/ephemeral-containers/",
    },
    {
        .scope = Scope::each_container,
        .field = "terminationMessagePath",
        .because = "with containerd the kubelet mounts the file into Windows containers",
        .source = "https://github.com/kubernetes/kubernetes/pull/83057",
    },
    {
        .scope = Scope::each_container,
        .field = "lifecycle",
        .covers = itself_and_below,
        .because = "postStart and preStop hooks run on Windows; the API server drops the stop "
                   "signal unless its feature gate is on, and then checks it",
        .source = sources::kDocsPod,
    },
    {
        .scope = Scope::each_container,
        .field = "{livenessProbe,readinessProbe,startupProbe}",
        .covers = itself_and_below,
        .because = "probes work on Windows; no field tells whether the image contains the command "
                   "of an exec probe, apart from one in /bin or /usr/bin",
        .source = sources::kDocsPod,
    },
    {
        .scope = Scope::each_container,
        .field = "ports",
        .because = kJudgedOneByOne,
        .source = sources::kDocsPod,
    },
    {
        .scope = Scope::each_container,
        .field = "ports[*].{name,containerPort,hostPort,hostIP}",
        .because = "Windows nodes map ports; whether a host address can be chosen depends on the "
                   "CNI plugin",
        .source = "https://kubernetes.io/docs/concepts/services-networking/windows-networking/",
    },
    {
        .scope = Scope::each_container,
        .field = "resources",
        .because = kJudgedOneByOne,
        .source = sources::kDocsPod,
    },
    {
        .scope = Scope::each_container,
        .field = "resources.{limits,requests}",
        .covers = itself_and_below,
        .because = "CPU and memory limits apply on Windows, and the scheduler uses requests",
        .source = "https://kubernetes.io/docs/concepts/configuration/windows-resource-management/",
    },
    {
        .scope = Scope::each_container,
        .field = "resizePolicy",
        .covers = itself_and_below,
        .because = "it only applies to a later resize, and some API servers add it to every pod",
        .source = "https://kubernetes.io/docs/tasks/configure-pod-container/"
                  "resize-container-resources/",
    },
    {
        .scope = Scope::each_container,
        .field = "volumeMounts",
        .because = kJudgedOneByOne,
        .source = sources::kDocsStorage,
    },
    {
        .scope = Scope::each_container,
        .field = "volumeMounts[*].{name,mountPath,readOnly}",
        .because = "volumes can be mounted on Windows, also read-only, and a Linux style path is "
                   "relative to C:\\; only the drive C: itself cannot be mounted over",
        .source = sources::kDocsStorage,
    },
    {
        .scope = Scope::each_container,
        .field = "volumeMounts[*].{subPath,subPathExpr}",
        .because = "with containerd a directory of a volume can be mounted",
        .source = "https://kubernetes.io/docs/concepts/windows/intro/#containerd",
    },

    // ---- Volumes ----
    {
        .field = "volumes",
        .because = kJudgedOneByOne,
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].name",
        .because = "it is a name",
        .source = sources::kKepApi,
    },
    {
        .field = "volumes[*].emptyDir",
        .because = "an emptyDir volume is a directory on the node's disk",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].emptyDir.sizeLimit",
        .because = "an emptyDir volume is a directory on the node's disk",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].hostPath",
        .because = "directories and named pipes of a Windows node can be mounted",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].hostPath.path",
        .because = "directories and named pipes of a Windows node can be mounted",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].{secret,configMap,downwardAPI,projected}",
        .because = "Windows pods can mount it, and its members are judged one by one",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].secret.{secretName,optional}",
        .because = "it only selects the object to mount",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].configMap.{name,optional}",
        .because = "it only selects the object to mount",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].{secret,configMap,downwardAPI}.items",
        .because = kJudgedOneByOne,
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].{secret,configMap}.items[*].{key,path}",
        .because = "it only maps keys to files",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].downwardAPI.items[*].{path,fieldRef,resourceFieldRef}",
        .covers = itself_and_below,
        .because = "it only maps fields to files",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].projected.sources",
        .because = kJudgedOneByOne,
        .source = sources::kProjectedOnWindows,
    },
    {
        .field = "volumes[*].projected.sources[*].{clusterTrustBundle,podCertificate,"
                 "serviceAccountToken}",
        .covers = itself_and_below,
        .because =
            "the kubelet writes it on Windows too, and every pod has a service account token",
        .source = sources::kProjectedOnWindows,
    },
    {
        .field = "volumes[*].projected.sources[*].{secret,configMap,downwardAPI}",
        .because = kJudgedOneByOne,
        .source = sources::kProjectedOnWindows,
    },
    {
        .field = "volumes[*].projected.sources[*].{secret,configMap}.{name,optional}",
        .because = "it only selects the object to mount",
        .source = sources::kProjectedOnWindows,
    },
    {
        .field = "volumes[*].projected.sources[*].{secret,configMap,downwardAPI}.items",
        .because = kJudgedOneByOne,
        .source = sources::kProjectedOnWindows,
    },
    {
        .field = "volumes[*].projected.sources[*].{secret,configMap}.items[*].{key,path}",
        .because = "it only maps keys to files",
        .source = sources::kProjectedOnWindows,
    },
    {
        .field = "volumes[*].projected.sources[*].downwardAPI.items[*].{path,fieldRef,"
                 "resourceFieldRef}",
        .covers = itself_and_below,
        .because = "it only maps fields to files",
        .source = sources::kProjectedOnWindows,
    },
    {
        .field = "volumes[*].{persistentVolumeClaim,ephemeral}",
        .covers = itself_and_below,
        .because = "claims work on Windows; a pod does not tell the kind of volume behind a claim",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].{azureDisk,azureFile,gcePersistentDisk}",
        .covers = itself_and_below,
        .because = "its driver works on Windows",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].{awsElasticBlockStore,vsphereVolume}",
        .covers = itself_and_below,
        .because = "its driver works on Windows since 1.16",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].csi",
        .covers = itself_and_below,
        .because = "CSI on Windows is stable since 1.22",
        .source = sources::kDocsStorage,
    },
    {
        .field = "volumes[*].flexVolume",
        .covers = itself_and_below,
        .because = "there were FlexVolume drivers for Windows (SMB, iSCSI), and the kubelet still "
                   "runs them",
        .source = sources::kDocsStorage,
    },
});

constexpr bool is_valid(const AllowedField& allowed) {
  return parse_field_pattern(allowed.field) && guard::is_clause(allowed.because) &&
         guard::is_public_url(allowed.source);
}

static_assert(std::all_of(kAllowed.begin(), kAllowed.end(), is_valid),
              "each allowed field has a field pattern, a reason and a public URL as source");

}  // namespace

std::span<const AllowedField> allowed_fields() { return kAllowed; }

const AllowedField* find_allowed_field(std::string_view path) {
  const auto covers_path = [&](const AllowedField& allowed) {
    const std::vector<std::string> paths = paths_of(allowed.scope, allowed.field);
    return std::any_of(paths.begin(), paths.end(), [&](const std::string& field_path) {
      return is_same_path(path, field_path) ||
             (allowed.covers == itself_and_below && is_below(path, field_path));
    });
  };
  const auto found = std::find_if(kAllowed.begin(), kAllowed.end(), covers_path);
  return found == kAllowed.end() ? nullptr : &*found;
}

}  // namespace winadmit
