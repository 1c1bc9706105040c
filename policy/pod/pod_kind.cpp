#include "policy/pod/pod_kind.hpp"

#include <algorithm>
#include <array>

namespace winadmit {
namespace {

constexpr std::array<std::string_view, 2> kSpecTemplate = {"spec", "template"};
constexpr std::array<std::string_view, 1> kTemplate = {"template"};
constexpr std::array<std::string_view, 4> kJobTemplate = {"spec", "jobTemplate", "spec",
                                                          "template"};

constexpr std::array<PodKind, 9> kPodKinds = {{
    {"Pod", "pods", "", {}},
    {"ReplicationController", "replicationcontrollers", "", kSpecTemplate},
    {"PodTemplate", "podtemplates", "", kTemplate},
    {"Deployment", "deployments", "apps", kSpecTemplate},
    {"ReplicaSet", "replicasets", "apps", kSpecTemplate},
    {"StatefulSet", "statefulsets", "apps", kSpecTemplate},
    {"DaemonSet", "daemonsets", "apps", kSpecTemplate},
    {"Job", "jobs", "batch", kSpecTemplate},
    {"CronJob", "cronjobs", "batch", kJobTemplate},
}};

}  // namespace

std::span<const PodKind> pod_kinds() { return kPodKinds; }

const PodKind* find_pod_kind(std::string_view kind, std::string_view group) {
  const auto found = std::ranges::find_if(kPodKinds, [&](const PodKind& each) {
    const bool is_old_group = group == "extensions" && each.group == "apps";
    return each.kind == kind && (each.group == group || is_old_group);
  });
  return found == kPodKinds.end() ? nullptr : &*found;
}

}  // namespace winadmit
