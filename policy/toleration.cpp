#include "policy/toleration.hpp"

#include <algorithm>

namespace winadmit {

PodTolerations::PodTolerations(const std::optional<JsonArray>& tolerations) {
  if (!tolerations) return;
  entries_.reserve(tolerations->size());
  for (const Json entry : *tolerations) {
    JsonObject toleration;
    if (entry.get(toleration) != simdjson::SUCCESS) continue;
    Entry& read = entries_.emplace_back();
    for (const auto [key, value] : toleration) {
      std::string_view text;
      if (value.get(text) != simdjson::SUCCESS) continue;
      if (key == "key") read.key = text;
      if (key == "operator") read.op = text;
      if (key == "value") read.value = text;
      if (key == "effect") read.effect = text;
    }
  }
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
