#include "admission/same_pod.hpp"

#include <cstdint>

#include "policy/json/hash.hpp"
#include "policy/rules/read_annotations.hpp"

namespace winadmit::server {
namespace {

/// Of the annotations that count, in any order: for a pod those that the policy reads, for a
/// template all, because any other one makes new pods. Linear in their size.
std::uint64_t hash_of_annotations(const Pod& pod) {
  std::uint64_t sum = 0;
  if (!pod.annotations) return sum;
  for (const auto [key, value] : *pod.annotations) {
    if (pod.kind->is_pod() && !is_judged_annotation(key)) continue;
    sum += Hasher().add(key).add(hash_of(value, ListOrder::significant)).value();
  }
  return sum;
}

}  // namespace

bool is_same_content(const std::optional<JsonObject>& a, const std::optional<JsonObject>& b) {
  if (!a || !b) return !a && !b;
  return hash_of(*a, ListOrder::significant) == hash_of(*b, ListOrder::significant);
}

bool is_same_pod(const Pod& a, const Pod& b) {
  return is_same_content(a.spec, b.spec) && a.os_label == b.os_label &&
         hash_of_annotations(a) == hash_of_annotations(b);
}

}  // namespace winadmit::server
