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

/// Asked of the few that tolerate something: most requests have none.
bool is_accepted(const PodToleration& toleration) {
  bool has_fault = false;
  for_each_fault(toleration, [&](TolerationFault) { has_fault = true; });
  return !has_fault;
}

}  // namespace

bool names_taint(const Toleration& toleration, const Toleration& taint) {
  return is_by_name(toleration, taint) || toleration == taint;
}

bool PodToleration::has_seconds() const {
  JsonValue seconds;
  return given && (*given)["tolerationSeconds"].get(seconds) == simdjson::SUCCESS &&
         !seconds.is_null();
}

PodToleration read_toleration(JsonObject toleration, FieldPath& path, FieldErrors& errors) {
  std::optional<std::string_view> key;
  std::optional<std::string_view> op;
  std::optional<std::string_view> value;
  std::optional<std::string_view> effect;
  read_members(toleration, path, errors, Member{"key", key}, Member{"operator", op},
               Member{"value", value}, Member{"effect", effect});
  return {.key = key.value_or(""),
          .op = op.value_or(""),
          .value = value.value_or(""),
          .effect = effect.value_or(""),
          .given = toleration};
}

PodTolerations::PodTolerations(const std::optional<JsonArray>& tolerations, FieldPath& path,
                               FieldErrors& errors) {
  for_each_object(tolerations, path, errors, [&](JsonObject each) {
    entries_.push_back(read_toleration(each, path, errors));
  });
}

bool PodTolerations::tolerates(const Toleration& wanted) const {
  return std::ranges::any_of(entries_, [&](const PodToleration& entry) {
    if (!entry.key.empty() && entry.key != wanted.key) return false;
    if (!entry.effect.empty() && entry.effect != wanted.effect) return false;
    const bool is_equal = (entry.op.empty() || entry.op == "Equal") && wanted.op != "Exists" &&
                          entry.value == wanted.value;
    return (is_equal || entry.op == "Exists") && is_accepted(entry);
  });
}

void PodTolerations::add(const Toleration& toleration) {
  entries_.push_back({.key = toleration.key,
                      .op = toleration.op,
                      .value = toleration.value,
                      .effect = toleration.effect});
}

bool PodTolerations::contains(const Toleration& toleration) const {
  return std::ranges::any_of(entries_, [&](const PodToleration& entry) {
    return entry.key == toleration.key && entry.op == toleration.op &&
           entry.value == toleration.value && entry.effect == toleration.effect &&
           is_accepted(entry);
  });
}

bool PodTolerations::tolerates_by_name(const Toleration& taint) const {
  return std::ranges::any_of(entries_, [&](const PodToleration& entry) {
    return is_by_name(entry, taint) && is_accepted(entry);
  });
}

bool PodTolerations::tolerates_any_by_name(const std::vector<Toleration>& taints) const {
  return std::ranges::any_of(taints,
                             [&](const Toleration& taint) { return tolerates_by_name(taint); });
}

bool PodTolerations::tolerates_others(const std::vector<const Toleration*>& known) const {
  return std::ranges::any_of(entries_, [&](const PodToleration& entry) {
    const auto has_key = [&](const Toleration* taint) { return taint->key == entry.key; };
    const auto is_same = [&](const Toleration* taint) {
      return has_key(taint) && taint->value == entry.value;
    };
    if (entry.key.empty()) return is_accepted(entry);
    return std::ranges::any_of(known, has_key) &&
           (entry.op == "Exists" || std::ranges::none_of(known, is_same)) && is_accepted(entry);
  });
}

}  // namespace winadmit
