#include "policy/pod/toleration.hpp"

#include <algorithm>

namespace winadmit {

PodTolerations::PodTolerations(const std::optional<JsonArray>& tolerations, FieldPath& path,
                               Problems& problems) {
  read_objects(tolerations, path, problems, [&](JsonObject toleration) {
    std::optional<std::string_view> key;
    std::optional<std::string_view> op;
    std::optional<std::string_view> value;
    std::optional<std::string_view> effect;
    read_members(toleration, path, problems, Wanted{"key", key}, Wanted{"operator", op},
                 Wanted{"value", value}, Wanted{"effect", effect});
    entries_.push_back(
        {key.value_or(""), op.value_or(""), value.value_or(""), effect.value_or("")});
  });
}

bool PodTolerations::tolerate(const Toleration& wanted) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    if (!entry.key.empty() && entry.key != wanted.key) return false;
    if (!entry.effect.empty() && entry.effect != wanted.effect) return false;
    if (entry.op == "Exists") return true;
    return (entry.op.empty() || entry.op == "Equal") && wanted.op != "Exists" &&
           entry.value == wanted.value;
  });
}

bool PodTolerations::name(const Toleration& taint) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.key == taint.key && entry.value == taint.value &&
           (entry.op.empty() || entry.op == "Equal") &&
           (entry.effect.empty() || entry.effect == taint.effect);
  });
}

bool PodTolerations::name_any(const std::vector<Toleration>& taints) const {
  return std::ranges::any_of(taints, [&](const Toleration& taint) { return name(taint); });
}

}  // namespace winadmit
