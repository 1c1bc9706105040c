#include "policy/container.hpp"

namespace winadmit {

std::optional<JsonObject> windows_options(JsonObject holder) {
  const auto context = member<JsonObject>(holder, "securityContext");
  return context ? member<JsonObject>(*context, "windowsOptions") : std::nullopt;
}

bool is_host_process(JsonObject spec, JsonObject container) {
  for (const JsonObject holder : {container, spec}) {
    const auto options = windows_options(holder);
    if (!options) continue;
    if (const auto value = member<bool>(*options, "hostProcess")) return *value;
  }
  return false;
}

}  // namespace winadmit
