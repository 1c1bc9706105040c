#include "policy/judge/advice_sink.hpp"

#include "policy/judge/advice_kinds.hpp"

namespace winadmit {

void AdviceSink::add(std::string_view id, const FieldPath& path, std::string_view reason,
                     std::optional<JsonValue> value, std::string_view instead) {
  const Action action = action_of_advice(id, settings_);
  if (action == Action::allow) return;
  findings_.add({.id = id,
                 .action = action,
                 .path = path,
                 .reason = reason,
                 .instead = instead.empty() ? advice_kind(id).instead : instead,
                 .value = value});
}

bool AdviceSink::is_off(std::string_view id) const {
  return action_of_advice(id, settings_) == Action::allow;
}

}  // namespace winadmit
