#include "policy/pod/platform.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "policy/pod/labels.hpp"

namespace winadmit {
namespace {

constexpr std::array<PlatformTaint, 4> kKepTaints = {{
    {"os", "Win1809"},
    {"os", "Win1809", "10.0.17763"},
    {"os", "Win2022", "10.0.20348"},
    {"os", "Win2025", "10.0.26100"},
}};
constexpr std::array<PlatformTaint, 1> kLowerCaseTaint = {{{"os", "windows"}}};
constexpr std::array<PlatformTaint, 1> kGkeTaint = {{{"node.kubernetes.io/os", "windows"}}};
constexpr std::array<PlatformTaint, 1> kOpenShiftTaint = {{{"os", "Windows"}}};
constexpr std::array<PlatformTaint, 6> kAllTaints = {{
    {"os", "Win1809"},
    {"os", "Win2022"},
    {"os", "Win2025"},
    {"os", "windows"},
    {"node.kubernetes.io/os", "windows"},
    {"os", "Windows"},
}};

// The second label: github.com/GoogleCloudPlatform/kubernetes-engine-samples, windows/aspnet-gmsa.
constexpr std::array<PlatformLabel, 4> kGkeLabels = {{
    {"cloud.google.com/gke-os-distribution", "windows_ltsc"},
    {"cloud.google.com/gke-os-distribution", "windows_sac"},
    {"cloud.google.com/gke-windows-os-version", "2019", "10.0.17763"},
    {"cloud.google.com/gke-windows-os-version", "2022", "10.0.20348"},
}};
constexpr std::array<PlatformLabel, 1> kOpenShiftLabels = {{{kOpenShiftOsLabel, "Windows"}}};
// WindowsAnnual is another build each year.
constexpr std::array<PlatformLabel, 4> kAksLabels = {{
    {"kubernetes.azure.com/os-sku", "Windows2019", "10.0.17763"},
    {"kubernetes.azure.com/os-sku", "Windows2022", "10.0.20348"},
    {"kubernetes.azure.com/os-sku", "Windows2025", "10.0.26100"},
    {"kubernetes.azure.com/os-sku", "WindowsAnnual"},
}};
constexpr std::array<PlatformLabel, 9> kAllLabels = {{
    kGkeLabels[0],
    kGkeLabels[1],
    kGkeLabels[2],
    kGkeLabels[3],
    kOpenShiftLabels[0],
    kAksLabels[0],
    kAksLabels[1],
    kAksLabels[2],
    kAksLabels[3],
}};

constexpr std::array<Platform, 8> kPlatforms = {{
    {.id = "kep",
     .name = "Nodes with the taints of KEP-116, one for each Windows build",
     .taints = kKepTaints,
     .labels = {},
     .source = "https://github.com/kubernetes/enhancements/tree/master/keps/sig-windows/"
               "116-windows-node-support#ensuring-os-specific-workloads-land-on-appropriate-"
               "container-host"},
    {.id = "kubernetes",
     .name = "Nodes set up by the Windows guide of kubernetes.io",
     .taints = kLowerCaseTaint,
     .labels = {},
     .source = "https://kubernetes.io/docs/concepts/windows/user-guide/#taints-and-tolerations"},
    {.id = "eks",
     .name = "Amazon EKS, by its best practices",
     .taints = kLowerCaseTaint,
     .labels = {},
     .source = "https://docs.aws.amazon.com/eks/latest/best-practices/windows-scheduling.html"},
    {.id = "gke",
     .name = "Google Kubernetes Engine",
     .taints = kGkeTaint,
     .labels = kGkeLabels,
     .source = "https://cloud.google.com/kubernetes-engine/docs/how-to/creating-a-cluster-windows"},
    {.id = "openshift",
     .name = "OpenShift with the Windows Machine Config Operator",
     .taints = kOpenShiftTaint,
     .labels = kOpenShiftLabels,
     .source = "https://github.com/openshift/windows-machine-config-operator"},
    {.id = "aks",
     .name = "Azure Kubernetes Service, which taints no node by default",
     .taints = {},
     .labels = kAksLabels,
     .source = "https://learn.microsoft.com/azure/aks/use-labels"},
    {.id = "rke2",
     .name = "RKE2, which taints no node by default",
     .taints = {},
     .labels = {},
     .source = "https://docs.rke2.io/reference/windows_agent_config"},
    {.id = "any",
     .name = "Any of these: pods tolerate every taint above",
     .taints = kAllTaints,
     .labels = kAllLabels,
     .source = "the rows above",
     .taints_are_alternatives = true},
}};

constexpr bool any_has_all_taints_and_labels() {
  const auto has_taint = [](const PlatformTaint& taint) {
    return std::ranges::any_of(kAllTaints, [&](const PlatformTaint& each) {
      return each.key == taint.key && each.value == taint.value;
    });
  };
  const auto has_label = [](const PlatformLabel& label) {
    return std::ranges::any_of(kAllLabels, [&](const PlatformLabel& each) {
      return each.key == label.key && each.value == label.value && each.build == label.build;
    });
  };
  return std::ranges::all_of(kPlatforms, [&](const Platform& each) {
    return std::ranges::all_of(each.taints, has_taint) &&
           std::ranges::all_of(each.labels, has_label);
  });
}
static_assert(any_has_all_taints_and_labels());

Toleration toleration_of(const PlatformTaint& taint) {
  return {.key = std::string(taint.key),
          .op = "Equal",
          .value = std::string(taint.value),
          .effect = "NoSchedule"};
}

}  // namespace

std::span<const Platform> platforms() { return kPlatforms; }

const Platform* find_platform(std::string_view id) {
  const auto found = std::ranges::find(kPlatforms, id, &Platform::id);
  return found == kPlatforms.end() ? nullptr : &*found;
}

const Platform& default_platform() { return kPlatforms.front(); }

std::vector<Toleration> tolerations_of(const Platform& platform) {
  std::vector<Toleration> tolerations;
  for (const PlatformTaint& each : platform.taints) {
    if (each.build.empty()) tolerations.push_back(toleration_of(each));
  }
  return tolerations;
}

TolerationsByBuild tolerations_by_build_of(const Platform& platform) {
  TolerationsByBuild all;
  for (const PlatformTaint& each : platform.taints) {
    if (!each.build.empty()) all[std::string(each.build)].push_back(toleration_of(each));
  }
  return all;
}

WindowsLabels windows_labels_of(const Platform& platform) {
  WindowsLabels labels;
  for (const PlatformLabel& each : platform.labels) {
    labels[std::string(each.key)].emplace(each.value, each.build);
  }
  return labels;
}

}  // namespace winadmit
