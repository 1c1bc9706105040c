#include "cli/judge/near_kind.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "cli/judge/check_advice.hpp"
#include "manifests/location.hpp"
#include "policy/pod/pod_kind.hpp"
#include "text/similar.hpp"

namespace winadmit::cli {
namespace {

constexpr std::size_t kMaxDistance = 2;

/// Groups that have pods and workloads, and groups that people write by mistake.
constexpr auto kGroups =
    std::to_array<std::string_view>({"", "core", "apps", "app", "batch", "extensions"});

std::string described(const PodKind& kind) {
  std::string version = kind.group.empty() ? "v1" : std::string(kind.group) + "/v1";
  return std::string(kind.kind) + " (apiVersion " + version + ')';
}

/// To the kind or to its plural, which is the name of the resource.
std::size_t distance_to(const PodKind& kind, std::string_view word) {
  return std::min(edit_distance(word, kind.kind), edit_distance(word, kind.resource));
}

bool is_near_group(std::string_view group, const PodKind& kind) {
  return std::ranges::find(kGroups, group) != kGroups.end() ||
         (!kind.group.empty() && edit_distance(group, kind.group) <= 1);
}

}  // namespace

std::string find_near_kind(const ObjectName& name) {
  constexpr std::size_t kLongestKind = 40;
  if (name.kind.size() > kLongestKind || name.group.size() > kLongestKind) return {};
  const PodKind* nearest = nullptr;
  std::size_t best = std::numeric_limits<std::size_t>::max();
  for (const PodKind& kind : pod_kinds()) {
    const std::size_t distance = distance_to(kind, name.kind);
    // A short kind allows one changed letter only: Job differs from Pod in two.
    const std::size_t limit = std::min(kMaxDistance, kind.kind.size() / 3);
    if (distance > limit || distance >= best || !is_near_group(name.group, kind)) continue;
    nearest = &kind;
    best = distance;
  }
  return nearest == nullptr ? std::string() : described(*nearest);
}

std::optional<ManifestFinding> warn_of_near_kind(const manifests::Manifest& manifest,
                                                 const ObjectName& name) {
  const std::string near = find_near_kind(name);
  if (near.empty()) return std::nullopt;
  const bool is_known =
      std::ranges::find(pod_kinds(), name.kind, &PodKind::kind) != pod_kinds().end();
  const std::string field = is_known ? "apiVersion" : "kind";
  const std::string group = name.group.empty() ? "the core group" : "the group " + name.group;
  return ManifestFinding{
      .location = manifests::location_of(manifest, '/' + field),
      .object = name,
      .field = field,
      .pointer = '/' + field,
      .reason = "is not judged, because Kubernetes has no " + name.kind + " in " + group,
      .instead = "did you mean " + near + '?',
      .rule = std::string(kAdviceNearKind)};
}

}  // namespace winadmit::cli
