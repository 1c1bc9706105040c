#include "policy/toleration.hpp"

#include <algorithm>

namespace winadmit {
namespace {

template <class Matches>
bool any_entry(const std::optional<JsonArray>& tolerations, Matches matches) {
  if (!tolerations) return false;
  return std::any_of(tolerations->begin(), tolerations->end(), [&](Json entry) {
    JsonObject toleration;
    return entry.get(toleration) == simdjson::SUCCESS && matches(toleration);
  });
}

}  // namespace

bool tolerates(JsonObject toleration, const Toleration& wanted) {
  const auto effect = text_member(toleration, "effect");
  if (!effect.empty() && effect != wanted.effect) return false;
  const auto key = text_member(toleration, "key");
  if (!key.empty() && key != wanted.key) return false;
  const auto op = text_member(toleration, "operator");
  if (op == "Exists") return true;
  return (op.empty() || op == "Equal") && wanted.op != "Exists" &&
         text_member(toleration, "value") == wanted.value;
}

bool tolerates(const std::optional<JsonArray>& tolerations, const Toleration& wanted) {
  return any_entry(tolerations, [&](JsonObject entry) { return tolerates(entry, wanted); });
}

bool names_taint(const std::optional<JsonArray>& tolerations, const Toleration& taint) {
  return any_entry(tolerations, [&](JsonObject entry) {
    const auto op = text_member(entry, "operator");
    const auto effect = text_member(entry, "effect");
    return (op.empty() || op == "Equal") && text_member(entry, "key") == taint.key &&
           text_member(entry, "value") == taint.value && (effect.empty() || effect == taint.effect);
  });
}

}  // namespace winadmit
