#include "policy/pod/toleration.hpp"

#include <algorithm>

namespace winadmit {
namespace {

/// The toleration is one of a pod or of the configuration. Exists does not count.
bool is_by_name(const auto& toleration, const Toleration& taint) {
  return toleration.key == taint.key && toleration.value == taint.value &&
         (toleration.op.empty() || toleration.op == "Equal") &&
         (toleration.effect.empty() || toleration.effect == taint.effect);
}

}  // namespace

bool names_taint(const Toleration& toleration, const Toleration& taint) {
  return is_by_name(toleration, taint) || toleration == taint;
}

PodTolerations::PodTolerations(const std::optional<JsonArray>& tolerations, FieldPath& path,
                               FieldErrors& errors) {
  for_each_object(tolerations, path, errors, [&](JsonObject toleration) {
    std::optional<std::string_view> key;
    std::optional<std::string_view> op;
    std::optional<std::string_view> value;
    std::optional<std::string_view> effect;
    read_members(toleration, path, errors, Member{"key", key}, Member{"operator", op},
                 Member{"value", value}, Member{"effect", effect});
    entries_.push_back(
        {key.value_or(""), op.value_or(""), value.value_or(""), effect.value_or("")});
  });
}

bool PodTolerations::tolerates(const Toleration& wanted) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    if (!entry.key.empty() && entry.key != wanted.key) return false;
    if (!entry.effect.empty() && entry.effect != wanted.effect) return false;
    if (entry.op == "Exists") return true;
    return (entry.op.empty() || entry.op == "Equal") && wanted.op != "Exists" &&
           entry.value == wanted.value;
  });
}

void PodTolerations::add(const Toleration& toleration) {
  entries_.push_back({.key = toleration.key,
                      .op = toleration.op,
                      .value = toleration.value,
                      .effect = toleration.effect});
}

bool PodTolerations::contains(const Toleration& toleration) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    return entry.key == toleration.key && entry.op == toleration.op &&
           entry.value == toleration.value && entry.effect == toleration.effect;
  });
}

bool PodTolerations::tolerates_by_name(const Toleration& taint) const {
  return std::ranges::any_of(entries_,
                             [&](const Entry& entry) { return is_by_name(entry, taint); });
}

bool PodTolerations::tolerates_any_by_name(const std::vector<Toleration>& taints) const {
  return std::ranges::any_of(taints,
                             [&](const Toleration& taint) { return tolerates_by_name(taint); });
}

bool PodTolerations::tolerates_others(const std::vector<const Toleration*>& known) const {
  return std::ranges::any_of(entries_, [&](const Entry& entry) {
    const auto has_key = [&](const Toleration* taint) { return taint->key == entry.key; };
    const auto is_same = [&](const Toleration* taint) {
      return has_key(taint) && taint->value == entry.value;
    };
    if (entry.key.empty()) return true;
    return std::ranges::any_of(known, has_key) &&
           (entry.op == "Exists" || std::ranges::none_of(known, is_same));
  });
}

}  // namespace winadmit
