#include "cli/unreachable_nodes.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "policy/pod/toleration.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

constexpr std::size_t kMaxNames = 10;

/// The beginnings of the keys of taints that Kubernetes, a cloud provider or an autoscaler removes
/// when a node is ready, or adds to a node that it drains (k8s.io/api core/v1/well_known_taints.go,
/// k8s.io/cloud-provider/api/well_known_taints.go, karpenter.sh/docs/concepts/disruption,
/// k8s.io/autoscaler cluster-autoscaler/utils/taints).
constexpr auto kTemporaryTaints = std::to_array<std::string_view>({
    "node.kubernetes.io/not-ready",
    "node.kubernetes.io/unreachable",
    "node.kubernetes.io/unschedulable",
    "node.kubernetes.io/network-unavailable",
    "node.kubernetes.io/memory-pressure",
    "node.kubernetes.io/disk-pressure",
    "node.kubernetes.io/pid-pressure",
    "node.kubernetes.io/out-of-service",
    "node.cloudprovider.kubernetes.io/",
    "karpenter.sh/",
    "ToBeDeletedByClusterAutoscaler",
    "DeletionCandidateOfClusterAutoscaler",
});

std::string to_text(const cluster::NodeTaint& taint) {
  const std::string value = taint.value.empty() ? "" : '=' + taint.value;
  return printable(taint.key + value + ':' + taint.effect);
}

/// Whether the taint keeps pods from the node, and stays.
bool counts(const cluster::NodeTaint& taint, const std::vector<std::string>& ignored) {
  return taint.effect != kPreferNoSchedule &&
         std::ranges::find(ignored, taint.key) == ignored.end() &&
         std::ranges::none_of(kTemporaryTaints, [&](std::string_view beginning) {
           return taint.key.starts_with(beginning);
         });
}

/// "os=a:NoSchedule, b:NoExecute": the taints that keep a pod with these tolerations from the node.
/// Empty if it may run there.
std::string obstacles(const cluster::WindowsNode& node,
                      const std::vector<cluster::PodToleration>& tolerations,
                      const std::vector<std::string>& ignored) {
  std::vector<Toleration> of_pod;
  of_pod.reserve(tolerations.size());
  for (const cluster::PodToleration& each : tolerations)
    of_pod.push_back({.key = each.key, .op = each.op, .value = each.value, .effect = each.effect});
  PodTolerations pod;
  for (const Toleration& each : of_pod) pod.add(each);
  std::string text;
  for (const cluster::NodeTaint& each : node.taints) {
    if (!counts(each, ignored)) continue;
    if (pod.tolerates({.key = each.key, .value = each.value, .effect = each.effect})) continue;
    if (!text.empty()) text += ", ";
    text += to_text(each);
  }
  return text;
}

/// Those for each of the pods that may run there: of one that selects the build, if all have some.
std::string obstacles(const cluster::WindowsNode& node, const PlacedTolerations& placed,
                      const std::vector<std::string>& ignored) {
  const auto of_build = placed.find(node.build);
  if (of_build == placed.end()) return {};
  if (obstacles(node, placed.at(""), ignored).empty()) return {};
  return obstacles(node, of_build->second, ignored);
}

}  // namespace

std::string describe_unreachable(const std::vector<cluster::WindowsNode>& nodes,
                                 const PlacedTolerations& placed,
                                 const std::vector<std::string>& ignored) {
  std::map<std::string, std::vector<std::string>> by_obstacles;  // names
  std::size_t count = 0;
  for (const cluster::WindowsNode& node : nodes) {
    const std::string found = obstacles(node, placed, ignored);
    if (found.empty()) continue;
    ++count;
    by_obstacles[found].push_back(node.name);
  }
  if (count == 0) return {};
  std::string line = std::to_string(count) + " of " + std::to_string(nodes.size()) +
                     " Windows nodes " + (count == 1 ? "has" : "have") +
                     " taints that no placed pod tolerates: ";
  std::size_t shown = 0;
  for (const auto& [taints, names] : by_obstacles) {
    if (shown == kMaxNames) break;
    for (const std::string& name : names) {
      if (shown == kMaxNames) break;
      if (shown++ > 0) line += ", ";
      line += printable(name);
    }
    line += " (" + taints + ')';
  }
  if (shown < count) line += " and " + std::to_string(count - shown) + " more";
  return line + "; set the platform or tolerations of the configuration";
}

}  // namespace winadmit::cli
