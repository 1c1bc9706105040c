#include "policy/judge/resize.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "policy/json/hash.hpp"
#include "policy/judge/advice_kinds.hpp"

namespace winadmit {
namespace {

/// Missing resources are empty ones.
std::uint64_t hash_of_resources(JsonObject container) {
  const auto resources = member<JsonObject>(container, "resources");
  if (!resources || resources->size() == 0) return 0;
  return hash_of(*resources, ListOrder::ignored);
}

/// Of each container in a list. The API server refuses a resize that adds, removes or reorders
/// containers (pkg/apis/core/validation, validatePodResizeContainerOrdering).
std::array<std::vector<std::uint64_t>, kContainerLists.size()> read_resources(const Pod& pod) {
  std::array<std::vector<std::uint64_t>, kContainerLists.size()> lists;
  for_each_container(pod, [&](const Container& container) {
    auto& list = lists[container.list];
    list.resize(container.index + 1);
    list[container.index] = hash_of_resources(container.object);
  });
  return lists;
}

}  // namespace

void judge_resize(const Pod& old_pod, const Pod& pod, const Settings& settings,
                  FindingSink& findings) {
  const Action action = action_of_advice(kPodResize, settings);
  if (action == Action::allow) return;
  const auto before = read_resources(old_pod);
  for_each_container(pod, [&](const Container& container) {
    const auto& old = before[container.list];
    const std::uint64_t old_hash = container.index < old.size() ? old[container.index] : 0;
    if (hash_of_resources(container.object) == old_hash) return;
    FieldPath path = container.path(pod);
    path.enter("resources");
    std::optional<JsonValue> value;
    if (JsonValue now; container.object.at_key("resources").get(now) == simdjson::SUCCESS)
      value = now;
    findings.add({.id = kPodResize,
                  .action = action,
                  .path = path,
                  .reason = "cannot be changed in a running windows pod: the kubelet of a Windows "
                            "node never resizes a pod",
                  .instead = advice_kind(kPodResize).instead,
                  .value = value});
  });
}

}  // namespace winadmit
