#include "policy/judge/advice_kinds.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "policy/judge/resize.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/sources.hpp"

namespace winadmit {
namespace {

using Fields = std::string_view[];

constexpr Fields kImages = {"spec.containers[*].image", "spec.initContainers[*].image",
                            "spec.ephemeralContainers[*].image"};
constexpr Fields kHints = {"spec.tolerations", "spec.containers[*].image",
                           "spec.initContainers[*].image", "spec.ephemeralContainers[*].image"};
constexpr Fields kPlacement = {"spec.nodeSelector[kubernetes.io/os]", "spec.tolerations"};
constexpr Fields kBuilds = {"spec.nodeSelector[node.kubernetes.io/windows-build]",
                            "spec.tolerations"};
constexpr Fields kOsLabelOfPod = {"metadata.labels[kubernetes.io/os]"};
constexpr Fields kArchitecture = {"spec.nodeSelector[kubernetes.io/arch]",
                                  "spec.nodeSelector[beta.kubernetes.io/arch]",
                                  "spec.affinity.nodeAffinity"};
constexpr Fields kResources = {"spec.containers[*].resources", "spec.initContainers[*].resources"};
constexpr Fields kWindowsOptions = {"spec.securityContext.windowsOptions",
                                    "spec.containers[*].securityContext.windowsOptions",
                                    "spec.initContainers[*].securityContext.windowsOptions",
                                    "spec.ephemeralContainers[*].securityContext.windowsOptions"};

constexpr auto kAdviceKinds = std::to_array<AdviceKind>({
    {.id = kOsConflict,
     .action = Action::deny,
     .when = "fields that name Linux and fields that name Windows, so that no node can run the pod",
     .instead = "make all of them name the same OS",
     .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/"
               "predicate.go"},
    {.id = kAdviceHint,
     .action = Action::warn,
     .when = "a Windows toleration or image, but nothing that sends the pod to Windows nodes",
     .instead = "set nodeSelector kubernetes.io/os: windows if the pod is for Windows",
     .source = sources::kKepPlacement,
     .fields = kHints},
    {.id = kAdviceUnplaced,
     .action = Action::warn,
     .when = "a Windows pod that may run on Linux nodes, or without a toleration of a taint that "
             "keeps it from the platform's Windows nodes",
     .instead = "set this, or let winadmit's mutating webhook do so",
     .source = sources::kKepPlacement,
     .fields = kPlacement},
    {.id = kAdviceWindowsOptions,
     .action = Action::warn,
     .when = "windowsOptions on a Linux pod, where they have no effect or are refused",
     .instead = "remove them",
     .source = "https://kubernetes.io/docs/tasks/configure-pod-container/configure-runasusername/",
     .fields = kWindowsOptions},
    {.id = kAdviceImageBuild,
     .action = Action::warn,
     .when =
         "an image of a Windows build that cannot run on the pod's nodes, on no node, or on none "
         "together with the pod's other images",
     .instead = "choose image tags or nodes so that the builds match",
     .source = "https://learn.microsoft.com/virtualization/windowscontainers/deploy-containers/"
               "version-compatibility",
     .fields = kImages},
    {.id = kAdviceLinuxSidecar,
     .action = Action::warn,
     .when = "a sidecar that exists for Linux only in a Windows pod",
     .instead = "turn off its injection for this pod, by the label or annotation of its injector",
     .source = "https://istio.io/latest/docs/ops/deployment/platform-requirements/",
     .fields = kImages},
    {.id = kAdviceOsLabel,
     .action = Action::warn,
     .when = "a label `kubernetes.io/os` of the pod itself, not of its nodeSelector, with another "
             "value than windows in a Windows pod, or with the value windows in any other",
     .instead = "remove the label; the nodeSelector chooses the nodes",
     .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.3/pkg/kubelet/lifecycle/"
               "predicate.go",
     .versions = since(1, 23),
     .fields = kOsLabelOfPod},
    {.id = kAdviceArch,
     .action = Action::warn,
     .when = "a nodeSelector or required affinity for another architecture than amd64",
     .instead = "remove the requirement, or ask for amd64",
     .source = "https://github.com/kubernetes/kubernetes/blob/v1.36.0/hack/lib/golang.sh",
     .fields = kArchitecture},
    {.id = kAdviceLinuxImage,
     .action = Action::warn,
     .when = "an image for Linux by its repository, such as nginx or busybox, or by its tag, such "
             "as 8.0-jammy or 1.23-alpine",
     .instead = "choose an image for Windows",
     .source = "https://github.com/docker-library/official-images/tree/master/library",
     .fields = kImages},
    {.id = kAdviceMemory,
     .action = Action::allow,
     .when =
         "a container without a memory limit, or with a memory request that differs from its limit",
     .instead = "set the memory limit, and the request to the same amount",
     .source = "https://kubernetes.io/docs/concepts/configuration/windows-resource-management/"
               "#resource-management-memory",
     .fields = kResources},
    {.id = kAdviceDaemonSetBuilds,
     .action = Action::warn,
     .when =
         "a DaemonSet that names no Windows build, where the nodes of each build have their own "
         "taint: its pods run on those of one build only",
     .instead = "tolerate these too, select a build by node.kubernetes.io/windows-build, or "
                "configure another platform",
     .source = sources::kKepPlacement,
     .fields = kBuilds},
    {.id = kAdviceNamespaceLabel,
     .action = Action::warn,
     .when =
         "a label winadmit.dev/... of a Namespace that has no meaning, or a value that has none; "
         "`winadmit check` alone sees Namespaces",
     .instead = "use a label and a value that the webhook configurations select",
     .source = "docs/configuration.md"},
    {.id = kPodResize,
     .action = Action::deny,
     .when = "a resize of a running Windows pod, which the kubelet never does",
     .instead = "create a new pod with these resources",
     .source = "https://github.com/kubernetes/kubernetes/blob/v1.34.4/pkg/kubelet/allocation/"
               "features_windows.go",
     .versions = since(1, 33),
     .fields = kResources},
});

static_assert(std::ranges::all_of(kAdviceKinds, is_valid));

}  // namespace

std::span<const AdviceKind> advice_kinds() { return kAdviceKinds; }

const AdviceKind& find_kind(std::span<const AdviceKind> kinds, std::string_view id) {
  const auto found = std::ranges::find(kinds, id, &AdviceKind::id);
  if (found == kinds.end()) throw std::out_of_range("no advice with the id " + std::string(id));
  return *found;
}

const AdviceKind& advice_kind(std::string_view id) { return find_kind(kAdviceKinds, id); }

const std::vector<std::string_view>& finding_ids() {
  static const std::vector<std::string_view> kIds = [] {
    std::vector<std::string_view> ids;
    for (const Rule& each : rules()) {
      if (std::ranges::find(ids, each.id) == ids.end()) ids.push_back(each.id);
    }
    for (const AdviceKind& each : kAdviceKinds) ids.push_back(each.id);
    return ids;
  }();
  return kIds;
}

Action action_of_advice(std::string_view id, const Settings& settings) {
  const AdviceKind& kind = advice_kind(id);
  if (!kind.versions.contains(settings.kubernetes)) return Action::allow;
  return settings.action_of(id, kind.action);
}

}  // namespace winadmit
