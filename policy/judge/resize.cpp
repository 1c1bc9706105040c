#include "policy/judge/resize.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "policy/json/hash.hpp"
#include "policy/judge/advice.hpp"

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
  for_each_container(pod, [&](std::size_t list, std::size_t index, JsonValue, JsonObject object) {
    lists[list].resize(index + 1);
    lists[list][index] = hash_of_resources(object);
  });
  return lists;
}

}  // namespace

void judge_resize(const Pod& old_pod, const Pod& pod, const Settings& settings,
                  FindingSink& findings) {
  const Action action = action_of_advice(kPodResize, settings);
  if (action == Action::allow) return;
  const auto before = read_resources(old_pod);
  for_each_container(
      pod, [&](std::size_t list, std::size_t index, JsonValue entry, JsonObject container) {
        const std::uint64_t old = index < before[list].size() ? before[list][index] : 0;
        if (hash_of_resources(container) == old) return;
        FieldPath path = pod.spec_path();
        path.enter(kContainerLists[list]);
        path.enter(index, entry);
        path.enter("resources");
        std::optional<JsonValue> value;
        if (JsonValue now; container.at_key("resources").get(now) == simdjson::SUCCESS) value = now;
        findings.add({.id = kPodResize,
                      .action = action,
                      .path = path,
                      .reason = "cannot be changed in a running windows pod: the kubelet of a "
                                "Windows node never resizes a pod",
                      .instead = advice_kind(kPodResize).instead,
                      .value = value});
      });
}

}  // namespace winadmit
